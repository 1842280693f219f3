// What the activity log records: each action with its Portuguese sentence (`descricao` on the wire) and the parameters it takes. What
// stands before the dot is the kind of thing it was done to (`entity`). Screens and sheets show `texts/log` in the reader's language.
import { fillBraces } from './braces.ts'
import type { ConnectionNews } from './entities/connection-news.ts'
import { UserBrief } from './entities/user.ts'
import { Id, Instant, Nullable, OneOf, type Static, Type } from './schema.ts'

export const LOG_ACTIONS = {
  'api.send': 'Mensagem enviada pela API',
  'chat.create': 'Grupo da equipe criado',
  'chat.update': 'Grupo da equipe alterado',
  'connection.create': 'Conexão criada',
  'connection.update': 'Conexão alterada',
  'connection.delete': 'Conexão excluída',
  'connection.disconnect': 'Conexão desconectada',
  'connection.pair': 'Código de pareamento pedido',
  'connection.recreate': 'Conexão começada de novo, sem o pareamento de antes',
  'connection.restart': 'Conexão reiniciada',
  'connection.start': 'Conexão ligada',
  'connection.takeUp': 'Conexão retomada depois de uma cópia de segurança',
  'connection.news': 'Aviso da conta oficial',
  'contact.create': 'Contato criado',
  'contact.update': 'Contato alterado',
  'contact.delete': 'Contato apagado com as conversas',
  'contact.merge': 'Contatos unidos',
  'contact.unmerge': 'União de contatos desfeita',
  'contact.import': 'Contatos importados (novos: {{created}}, atualizados: {{updated}})',
  'contact.delegate': 'Delegação importada (novos: {{created}}, atualizados: {{updated}})',
  'contact.export': 'Contatos exportados: {{contacts}}',
  'contact.clear': 'Contatos sem conversas apagados: {{deleted}}',
  'contact.optIn': 'Contato voltou a receber envios',
  'contact.optOut': 'Contato saiu dos envios',
  'contact.newNumber': 'Contato mudou de número',
  'contact.lostNumber': 'Número passou para outro contato',
  'job.cancel': 'Trabalho longo cancelado',
  'log.export': 'Registro exportado (atividades: {{entries}})',
  'message.delete': 'Mensagem excluída',
  'message.forward': 'Mensagem encaminhada',
  'message.template': 'Modelo enviado',
  'message.transcribe': 'Transcrição pedida à IA',
  'pergunta.create': 'Pergunta do robô criada',
  'pergunta.update': 'Pergunta do robô alterada',
  'pergunta.delete': 'Pergunta do robô excluída',
  'pergunta.order': 'Perguntas do robô postas em outra ordem',
  'privacy.ask': 'Pedido para apagar uma pessoa, em {{days}} dias',
  'privacy.undo': 'Pedido para apagar uma pessoa desfeito',
  'privacy.held': 'Pedido para apagar uma pessoa retido',
  'privacy.erase': 'Dados de uma pessoa apagados (mensagens: {{messages}}, arquivos: {{files}})',
  'privacy.export': 'Dados de uma pessoa entregues (mensagens: {{messages}}, arquivos: {{files}})',
  'protocol.create': 'Protocolo gerado: {{protocolo}}',
  'protocol.update': 'Detalhes do protocolo alterados: {{protocolo}}',
  'queue.create': 'Fila criada',
  'queue.update': 'Fila alterada',
  'queue.delete': 'Fila excluída',
  'quickAnswer.create': 'Resposta rápida criada',
  'quickAnswer.update': 'Resposta rápida alterada',
  'quickAnswer.delete': 'Resposta rápida excluída',
  'rating.export': 'Notas exportadas: {{ratings}}',
  'report.ticket': 'Relatório de atendimentos pedido',
  'report.contact': 'Relatório por contato pedido',
  'report.queue': 'Relatório de filas pedido',
  'report.user': 'Relatório por usuário pedido',
  'report.message': 'Relatório das conversas pedido',
  'schedule.create': 'Agendamento criado',
  'schedule.update': 'Agendamento alterado',
  'schedule.delete': 'Agendamento excluído',
  'schedule.removeFile': 'Arquivo do agendamento removido',
  'schedule.pause': 'Agendamento pausado',
  'schedule.resume': 'Agendamento retomado',
  'schedule.cancel': 'Agendamento cancelado',
  'send.create': 'Envio em massa criado',
  'send.export': 'Planilha de destinatários gerada',
  'send.test': 'Teste de envio mandado',
  'send.update': 'Envio em massa alterado',
  'send.pause': 'Envio pausado',
  'send.resume': 'Envio retomado',
  'send.cancel': 'Envio cancelado',
  'send.stop': 'Envio parou sozinho',
  'setting.update': 'Configuração alterada: {{key}}',
  'setting.createToken': 'Token da API criado',
  'setting.removeToken': 'Token da API removido',
  'tag.create': 'Tag criada',
  'tag.update': 'Tag alterada',
  'tag.delete': 'Tag excluída',
  'ticket.create': 'Atendimento aberto',
  'ticket.accept': 'Atendimento aceito',
  'ticket.ask': 'Atendimento pedido',
  'ticket.bot': 'Atendimento iniciado pelo robô',
  'ticket.botIdle': 'Atendimento do robô fechado por falta de resposta',
  'ticket.close': 'Atendimento fechado sem despedida',
  'ticket.delete': 'Atendimento excluído',
  'ticket.dismiss': 'Atendimento fechado',
  'ticket.give': 'Atendimento em espera encaminhado automaticamente',
  'ticket.idle': 'Atendimento fechado por falta de mensagens',
  'ticket.pause': 'Atendimento pausado',
  'ticket.rate': 'Atendimento avaliado com nota {{rate}}',
  'ticket.redirect': 'Atendimento encaminhado à pessoa do contato',
  'ticket.release': 'Atendimento passou do robô para a espera',
  'ticket.reopen': 'Atendimento reaberto',
  'ticket.resolve': 'Atendimento resolvido',
  'ticket.resume': 'Atendimento retomado',
  'ticket.return': 'Atendimento devolvido para a espera',
  'ticket.route': 'Atendimento colocado na fila',
  'ticket.summarise': 'Resumo feito pela IA',
  'ticket.transfer': 'Atendimento transferido',
  'ticket.unsettle': 'Atendimento voltou da pesquisa para a espera',
  'ticket.unrated': 'Pesquisa encerrada sem resposta',
  'user.activate': 'Usuário ativado',
  'user.addTerminal': 'Acesso de terminal criado',
  'user.approve': 'Cadastro aprovado',
  'user.changePassword': 'Senha alterada',
  'user.changePicture': 'Foto de perfil alterada',
  'user.create': 'Usuário criado',
  'user.deactivate': 'Usuário desativado',
  'user.delete': 'Usuário excluído',
  'user.endDevice': 'Aparelho desconectado',
  'user.import': 'Usuários importados: {{imported}}',
  'user.resetPassword': 'Senha redefinida',
  'user.signUp': 'Cadastro feito pelo próprio usuário',
  'user.transferTickets': 'Atendimentos transferidos: {{tickets}}',
  'user.update': 'Usuário alterado',
} as const

export type LogAction = keyof typeof LOG_ACTIONS

/** What an entry says besides its action, for those actions that say more. Never a secret or what somebody wrote. */
export interface LogParams {
  readonly 'connection.update': { readonly changes: readonly FieldChange[] }
  readonly 'connection.news': Omit<ConnectionNews, 'at' | 'storedAt'>
  /** Of an e-mail and of what the team noted only that it changed. */
  readonly 'contact.update': { readonly changes: readonly FieldChange[] }
  /** `tickets`: how many went with it. */
  readonly 'contact.delete': { readonly tickets: number }
  /** `from`: the contact that is gone; `names`: what it was known by. */
  readonly 'contact.merge': {
    readonly from: number
    readonly names: readonly { readonly kind: string; readonly value: string }[]
  }
  /** `contactId`: the other one of the two. */
  readonly 'contact.unmerge': { readonly contactId: number }
  readonly 'contact.import': Imported
  readonly 'contact.delegate': Imported
  readonly 'contact.export': { readonly contacts: number }
  readonly 'contact.clear': { readonly deleted: number }
  readonly 'contact.newNumber': { readonly from: readonly string[]; readonly to: string }
  /** `contactId`: who has the numbers now. */
  readonly 'contact.lostNumber': { readonly numbers: readonly string[]; readonly contactId: number }
  readonly 'log.export': { readonly entries: number }
  /** `from`: the message it was made of. */
  readonly 'message.forward': { readonly from: number }
  readonly 'ticket.rate': { readonly rate: number }
  /** `userId`: who has it now. */
  readonly 'ticket.redirect': { readonly userId: number }
  /** `reason`: as in the send's `stateReason`. */
  readonly 'send.stop': { readonly reason: string }
  readonly 'rating.export': { readonly ratings: number }
  /** `days`: the grace. Never a name or a number of the person. */
  readonly 'privacy.ask': { readonly days: number }
  readonly 'privacy.erase': { readonly tickets: number; readonly messages: number; readonly files: number }
  readonly 'privacy.export': { readonly messages: number; readonly files: number }
  readonly 'protocol.create': { readonly protocolo: string }
  readonly 'protocol.update': { readonly protocolo: string }
  /** `from` and `value` as on the wire, but for texts, which are long. */
  readonly 'setting.update': {
    readonly key: string
    readonly from?: string | undefined
    readonly value?: string | undefined
  }
  /** `tickets`: how many of them went where; `toWait` back to their queues. */
  readonly 'user.deactivate': TicketsGiven
  readonly 'user.delete': TicketsGiven
  readonly 'user.import': { readonly imported: number; readonly skipped: number }
  readonly 'user.transferTickets': { readonly queueId: number; readonly toUserId: number; readonly tickets: number }
  /** Of an e-mail only that it changed. `toWait`: live tickets of queues the person lost. */
  readonly 'user.update': { readonly changes: readonly FieldChange[]; readonly toWait?: number }
}

/** A field as it was and as it is; of what is nobody's business only that it changed. */
export interface FieldChange {
  readonly field: string
  readonly from?: unknown
  readonly to?: unknown
}

/** What came of the rows of a sheet, or of a phone's address book. */
type Imported = {
  readonly created: number
  readonly updated: number
  readonly skipped: number
  readonly failed: number
}

/** How many live tickets somebody left behind, and to whom they went. */
type TicketsGiven = { readonly toWait: number; readonly toSubstitutes: number }

/** Actions that say nothing more. */
export type PlainLogAction = Exclude<LogAction, keyof LogParams>

/** The Portuguese sentence of an entry. */
export function logText(action: LogAction, params: Readonly<Record<string, unknown>> | null): string {
  const words = Object.entries(params ?? {}).map(([name, value]) => [name, String(value)])
  return fillBraces(LOG_ACTIONS[action], Object.fromEntries(words))
}

/**
 * An entry of the activity log. `action` is null for what a client reported, and for what was written before actions had codes.
 * `entityId` names the thing where it has no field of its own: a user, a tag, a quick answer, a scheduled send.
 */
export const LogEntry = Type.Object({
  id: Id,
  action: Nullable(Type.Unsafe<LogAction>({ type: 'string', enum: Object.keys(LOG_ACTIONS) })),
  params: Nullable(Type.Record(Type.String(), Type.Unknown())),
  descricao: Type.String(),
  /** The kind of thing it was done to. */
  entity: Type.String(),
  /** Where it came from: one of `LOG_SOURCES`, or what was reported; empty where nobody kept it. */
  origem: Type.String(),
  userId: Nullable(Id),
  ticketId: Nullable(Id),
  contactId: Nullable(Id),
  queueId: Nullable(Id),
  whatsappId: Nullable(Id),
  messageId: Nullable(Id),
  entityId: Nullable(Id),
  reported: Type.Boolean(),
  createdAt: Instant,
})
export type LogEntry = Static<typeof LogEntry>

/** Where something was done: on a page, on a page on a phone, in a terminal, by another program, or by the desk itself. */
export const LOG_SOURCES = ['web', 'phone', 'terminal', 'api', 'auto'] as const
export type LogSource = (typeof LOG_SOURCES)[number]

/** The most entries a sheet of the log holds; what is older stays out. */
export const LOG_SHEET_ROWS = 100_000

/** Which entries of the log are meant. */
export const LogFilters = Type.Object({
  searchParam: Type.Optional(Type.String({ maxLength: 200 })),
  settings: Type.Optional(
    Type.String({
      maxLength: 3000,
      description: 'keys of the settings that the search means too, separated by commas',
    }),
  ),
  actions: Type.Optional(
    Type.String({ maxLength: 3000, description: 'actions that the search means too, separated by commas' }),
  ),
  userId: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  entity: Type.Optional(Type.String({ maxLength: 40, description: 'the kind of thing: ticket, contact, user …' })),
  entityId: Type.Optional(Id),
  action: Type.Optional(Type.String({ maxLength: 60 })),
  origem: Type.Optional(OneOf(LOG_SOURCES)),
  firstDate: Type.Optional(Type.String({ maxLength: 40 })),
  lastDate: Type.Optional(Type.String({ maxLength: 40 })),
})

/** The kinds of things an entry is about: what stands before the dot of its action. */
export const LOG_KINDS = [...new Set(Object.keys(LOG_ACTIONS).map(action => action.split('.', 1).join()))].sort()

/** Whether a text is an action of the log. */
export function isLogAction(text: string): text is LogAction {
  return Object.hasOwn(LOG_ACTIONS, text)
}

/**
 * An entry as it is read: who did it, and what it was done to, by its present name. `user` is null for the system and another program,
 * and for the owner, whom nobody else knows by name (then `userId` is not).
 */
export const LogRow = Type.Object({
  ...LogEntry.properties,
  user: Nullable(UserBrief),
  /** Null: it has no name, or is gone. */
  about: Nullable(Type.String()),
})
export type LogRow = Static<typeof LogRow>
