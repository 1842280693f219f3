// Refusals: one class with a code of the catalogue, and how anything thrown becomes an answer that leaks nothing.
import {
  byRules,
  ERRORS,
  type ErrorBody,
  type ErrorCode,
  type FieldError,
  type FieldRules,
  fillBraces,
  type KeptOf,
} from '@balcao/contract'
import { faultOf, sqlStateOf } from '../database/faults.ts'

/** A refusal the caller may know about. `details` as the catalogue says for its code. */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly details?: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Instead of the catalogue's text, where the specification fixes one. */
    readonly text?: string,
  ) {
    super(code)
    this.name = 'AppError'
  }
}

/** The refusal of a form: its faults with their sentences, which clients show who do not translate the codes. */
export function invalid<Code extends string>(
  faults: readonly {
    readonly path: string
    readonly code: Code
    readonly params?: Readonly<Record<string, string | number>>
  }[],
  sentences: Readonly<Record<Code, string>>,
): AppError {
  const entries = faults.map(({ path, code, params: given = {} }): FieldError => {
    const params = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
    return {
      path,
      code,
      message: fillBraces(sentences[code], params),
      ...(Object.keys(params).length > 0 && { params }),
    }
  })
  return new AppError('ERR_VALIDATION', entries)
}

/** The fields of a form that are given, as they are kept. Throws `ERR_VALIDATION` with each that is wrong. */
export function accepted<R extends FieldRules, G extends Partial<Record<keyof R, unknown>>>(
  rules: R,
  given: G,
): KeptOf<R, G> {
  const { kept, faults } = byRules(rules, given)
  const wrong = Object.entries(faults).map(([path, message]) => ({ path, message }))
  if (wrong.length > 0) throw new AppError('ERR_VALIDATION', wrong)
  return kept
}

/** The refusal of one field. */
export function wrongField(path: string, message: string, code?: string): AppError {
  return new AppError('ERR_VALIDATION', [{ path, message, ...(code ? { code } : {}) }])
}

/** The refusal of who asks too often, with the seconds to wait. */
export function tooManyAttempts(seconds: number): AppError {
  return new AppError('ERR_TOO_MANY_ATTEMPTS', undefined, { 'retry-after': String(Math.max(1, Math.ceil(seconds))) })
}

/** The refusal to show or change what this person may not see, in the words of spec 1 §6. */
export function noAccessTo(what: 'ticket' | 'chat'): AppError {
  return new AppError('ERR_NO_PERMISSION', undefined, {}, `Você não tem permissão para acessar esse ${what}`)
}

/** The answer for anything thrown; what is not an `AppError` becomes 500 without its text and goes to `report`. */
export function errorAnswer(error: unknown, report: (error: unknown) => void): Response {
  const known = error instanceof AppError ? error : fromDatabase(error)
  if (!known) {
    report(error)
    return refusal('ERR_INTERNAL')
  }
  return answerOf(known)
}

/** The answer of a refusal that was thrown. */
export function answerOf({ code, details, headers, text }: AppError): Response {
  return refusal(code, details, headers, ERRORS[code], text)
}

/** The answer of a refusal. */
export function refusal(
  code: ErrorCode,
  details?: unknown,
  headers: Readonly<Record<string, string>> = {},
  status: number = ERRORS[code],
  message: string = MESSAGES[code],
): Response {
  const body: ErrorBody = { error: code, message, ...(details === undefined ? {} : { details }) }
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}

/** What passes, as the database is away or busy, and what it refuses. */
function fromDatabase(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null
  const fault = faultOf(error)
  if (fault) return new AppError(fault === 'away' ? 'ERR_DATABASE_AWAY' : 'ERR_BUSY', undefined, { 'retry-after': '1' })
  return refusedValue(error)
}

/**
 * What Postgres refuses because of a value: data it cannot hold (class 22: a number beyond its column, a day that is none, a character no
 * text may hold), a row that breaks a rule (class 23: it names nothing that is there, or is there already), or too much of it (54000).
 */
export function refusedValue(error: unknown): AppError | null {
  const code = sqlStateOf(error)
  return code !== null && /^(22...|23...|54000)$/.test(code) ? new AppError('ERR_VALIDATION', []) : null
}

/** What a code says in Portuguese; of what is none, the word itself. */
export function sentenceOf(code: string): string {
  return Object.entries(MESSAGES).find(([known]) => known === code)?.[1] ?? code
}

const MESSAGES: Record<ErrorCode, string> = {
  ERR_VALIDATION: 'Verifique os dados informados.',
  ERR_SESSION_EXPIRED: 'Sua sessão expirou. Entre novamente.',
  ERR_TOKEN_EXPIRED: 'O acesso precisa ser renovado.',
  ERR_NO_PERMISSION: 'Você não tem permissão para isso.',
  ERR_INVALID_CREDENTIALS: 'E-mail ou senha incorretos.',
  ERR_INVALID_WORKING_TIME: 'Fora do horário de trabalho. Acesso bloqueado.',
  ERR_USER_NO_ACTIVE: 'Seu usuário foi desativado. Acesso temporariamente bloqueado.',
  ERR_SYSTEM_BLOCKED: 'Sistema bloqueado. Fale com o suporte.',
  ERR_TOO_MANY_ATTEMPTS: 'Muitas tentativas. Aguarde um pouco e tente novamente.',
  ERR_TOO_MANY_TERMINALS: 'Você já tem 20 terminais: encerre um que não usa mais.',
  ERR_PASSWORD_CHANGE_REQUIRED: 'Troque a senha provisória para continuar.',
  ERR_CHANGED_MEANWHILE: 'Alguém salvou isto enquanto você editava.',
  ERR_DUPLICATED_EMAIL: 'Já existe um usuário com este e-mail.',
  ERR_USER_CREATION_DISABLED: 'O cadastro de usuários está desativado.',
  ERR_NO_OTHER_WHATSAPP: 'Pelo menos uma conexão precisa ser a padrão.',
  ERR_NO_DEF_WAPP_FOUND: 'Não há conexão padrão.',
  ERR_WAPP_NOT_INITIALIZED: 'A sessão desta conexão não está iniciada.',
  ERR_WAPP_CHECK_CONTACT: 'Não foi possível verificar o contato.',
  ERR_WAPP_INVALID_CONTACT: 'Este não é um número válido no WhatsApp.',
  ERR_WAPP_DOWNLOAD_MEDIA: 'Não foi possível baixar a mídia.',
  ERR_WAPP_DOWNLOAD_MEDIA_DENIED: 'Este arquivo foi bloqueado: seu tipo ou tamanho não é aceito.',
  ERR_SENDING_WAPP_MSG: 'Não foi possível enviar a mensagem.',
  ERR_DELETE_WAPP_MSG: 'Não foi possível excluir essa mensagem.',
  ERR_EDIT_WAPP_MSG: 'Não foi possível editar essa mensagem.',
  ERR_WINDOW_CLOSED:
    'A mensagem não foi enviada porque já se passaram mais de 24 horas desde a última vez que o cliente respondeu a este número.',
  ERR_OTHER_OPEN_TICKET: 'Já existe uma conversa em aberto para este contato.',
  ERR_INVALID_TRANSITION: 'O atendimento não está mais nesse estado.',
  ERR_CHAT_WITH_ONESELF: 'Você não pode abrir um chat para você mesmo',
  ERR_DUPLICATED_CONTACT: 'Já existe um contato com este número.',
  ERR_DUPLICATED_SHORTCUT: 'Já existe uma resposta rápida com este atalho.',
  ERR_NO_SETTING_FOUND: 'Configuração não encontrada.',
  ERR_NO_CONTACT_FOUND: 'Contato não encontrado.',
  ERR_NO_TICKET_FOUND: 'Atendimento não encontrado.',
  ERR_NO_USER_FOUND: 'Usuário não encontrado.',
  ERR_NO_WAPP_FOUND: 'Conexão não encontrada.',
  ERR_NO_QUEUE_FOUND: 'Fila não encontrada.',
  ERR_NO_MESSAGE_FOUND: 'Mensagem não encontrada.',
  ERR_NO_QUESTION_FOUND: 'Pergunta não encontrada.',
  ERR_TOO_MANY_QUESTIONS: 'O robô atende até 98 perguntas: os números 99 e 00 são fixos.',
  ERR_NO_QUICK_ANSWER_FOUND: 'Resposta rápida não encontrada.',
  ERR_NO_TAG_FOUND: 'Tag não encontrada.',
  ERR_NO_PROTOCOL_FOUND: 'Protocolo não encontrado.',
  ERR_NO_ERASURE_FOUND: 'Não há pedido de apagar que ainda possa ser desfeito.',
  ERR_NO_SCHEDULE_FOUND: 'Agendamento não encontrado.',
  ERR_NO_SEND_FOUND: 'Envio não encontrado.',
  ERR_NO_CHAT_FOUND: 'Conversa interna não encontrada.',
  ERR_NO_FILE_FOUND: 'Arquivo não encontrado.',
  ERR_NO_JOB_FOUND: 'Tarefa não encontrada.',
  ERR_NOT_FOUND: 'Não encontrado.',
  ERR_CREATING_MESSAGE: 'Não foi possível criar a mensagem.',
  ERR_CREATING_TICKET: 'Não foi possível criar o atendimento.',
  ERR_FETCH_GROUP: 'O WhatsApp não informou quem está neste grupo.',
  ERR_FETCH_WAPP_MSG: 'Mensagem não encontrada; talvez seja antiga demais.',
  ERR_QUEUE_COLOR_ALREADY_EXISTS: 'Esta cor já está em uso por outra fila.',
  ERR_QUEUE_IN_USE: 'Há atendimentos em aberto nesta fila.',
  ERR_USER_NO_LINKED_IN_QUEUE: 'Usuário não está vinculado a essa fila!',
  ERR_WAPP_GREETING_REQUIRED: 'Informe uma saudação quando a conexão tem mais de uma fila.',
  ERR_WAPP_NAME_ALREADY_EXISTS: 'Já existe uma conexão com este nome.',
  ERR_WAPP_HAS_LIVE_TICKETS: 'Esta conexão ainda tem atendimentos em andamento.',
  ERR_WAPP_NOT_OFFERED: 'Este tipo de conexão não oferece isso.',
  ERR_WAPP_RESTORED:
    'Esta conexão voltou de uma cópia de segurança. Confirme que o servidor antigo está desligado de vez.',
  ERR_GATEWAY_NOT_SET:
    'Este servidor não conhece nenhum gateway do WhatsApp. Peça a quem o instalou que informe GOWA_URL.',
  ERR_NO_MERGE_FOUND: 'Esta união não pode mais ser desfeita',
  ERR_CANNOT_MERGE: 'Só duas pessoas diferentes podem ser unidas, grupos não',
  ERR_MERGED_AGAIN: 'Desfaça primeiro a união mais recente destes contatos',
  ERR_ERASURE_WAITING: 'Um destes contatos vai ser apagado a pedido. Desfaça antes o pedido em Privacidade',
  ERR_PROTOCOL_LINKED: 'Não é possível deletar esse ticket pois existe um protocolo vinculado a ele',
  ERR_TEXT_TOO_LONG: 'O texto é longo demais para esta conexão. Encurte-o ou divida-o em duas mensagens.',
  ERR_FILE_TOO_LARGE: 'O arquivo é grande demais.',
  ERR_FILE_TYPE: 'Este tipo de arquivo não é aceito.',
  ERR_SHEET_UNREADABLE: 'Não foi possível ler a planilha. Salve-a de novo como .xlsx e tente outra vez.',
  ERR_SHEET_PASSWORD: 'A planilha está protegida por senha. Tire a senha e tente outra vez.',
  ERR_SHEET_TOO_LARGE: 'A planilha é grande demais. Divida-a em partes menores.',
  ERR_SHEET_ROWS: 'Há linhas com erro. Nada foi importado.',
  ERR_PDF: 'O PDF não pôde ser escrito. Tente de novo.',
  ERR_IMPORT_BLOCKED: 'A importação da agenda do celular está bloqueada.',
  ERR_NO_PHONE_BOOK: 'Esta conexão não informou nenhuma agenda de telefone.',
  ERR_NO_SPACE: 'O servidor está sem espaço para arquivos. Textos continuam saindo. Avise o administrador.',
  ERR_FILES_AWAY: 'Os arquivos não podem ser lidos neste momento. Textos continuam saindo. Tente de novo em instantes.',
  ERR_BODY_TOO_LARGE: 'A requisição é grande demais.',
  ERR_BODY_TOO_SLOW: 'A requisição demorou demais para chegar. Tente de novo.',
  ERR_NO_AI_KEY: 'Nenhuma chave de IA está configurada.',
  ERR_AI_FAILED: 'A IA não respondeu. Tente de novo.',
  ERR_FORWARD_WAPP_MSG: 'Não foi possível encaminhar essa mensagem.',
  ERR_BAD_REQUEST: 'A requisição não pôde ser entendida.',
  ERR_BAD_SIGNATURE: 'Assinatura inválida.',
  ERR_INTERNAL: 'Algo deu errado do nosso lado. Tente novamente.',
  ERR_NOT_READY: 'O sistema ainda está iniciando.',
  ERR_DATABASE_AWAY: 'O banco de dados não está respondendo. Tente de novo em instantes.',
  ERR_BUSY: 'O sistema está ocupado com isso neste momento. Tente de novo em instantes.',
}
