// What the activity log records: each action with its Portuguese sentence (`descricao` on the wire) and the parameters it takes. What
// stands before the dot is the kind of thing it was done to (`origem`). Screens show `locales/log` in the reader's language.
import { fillBraces } from './braces.ts'
import type { ConnectionNews } from './entities/connection-news.ts'
import { Id, Instant, Nullable, type Static, Type } from './schema.ts'

export const LOG_ACTIONS = {
  'api.send': 'Mensagem enviada pela API',
  'connection.create': 'Conexão criada',
  'connection.update': 'Conexão alterada',
  'connection.delete': 'Conexão excluída',
  'connection.news': 'Aviso da conta oficial',
  'contact.create': 'Contato criado',
  'contact.update': 'Contato alterado',
  'contact.merge': 'Contatos unidos',
  'contact.newNumber': 'Contato mudou de número',
  'contact.lostNumber': 'Número passou para outro contato',
  'message.delete': 'Mensagem excluída',
  'message.forward': 'Mensagem encaminhada',
  'message.transcribe': 'Transcrição pedida à IA',
  'protocol.create': 'Protocolo gerado: {{protocolo}}',
  'quickAnswer.create': 'Resposta rápida criada',
  'quickAnswer.update': 'Resposta rápida alterada',
  'quickAnswer.delete': 'Resposta rápida excluída',
  'schedule.create': 'Agendamento criado',
  'schedule.update': 'Agendamento alterado',
  'schedule.delete': 'Agendamento excluído',
  'schedule.removeFile': 'Arquivo do agendamento removido',
  'setting.update': 'Configuração alterada: {{key}}',
  'setting.createToken': 'Token da API criado',
  'setting.removeToken': 'Token da API removido',
  'tag.create': 'Tag criada',
  'ticket.create': 'Atendimento aberto',
  'ticket.accept': 'Atendimento aceito',
  'ticket.ask': 'Atendimento pedido',
  'ticket.close': 'Atendimento fechado sem despedida',
  'ticket.delete': 'Atendimento excluído',
  'ticket.dismiss': 'Atendimento fechado',
  'ticket.pause': 'Atendimento pausado',
  'ticket.release': 'Atendimento passou do robô para a espera',
  'ticket.reopen': 'Atendimento reaberto',
  'ticket.resolve': 'Atendimento resolvido',
  'ticket.resume': 'Atendimento retomado',
  'ticket.return': 'Atendimento devolvido para a espera',
  'ticket.summarise': 'Resumo feito pela IA',
  'ticket.transfer': 'Atendimento transferido',
  'user.activate': 'Usuário ativado',
  'user.changePassword': 'Senha alterada',
  'user.changePicture': 'Foto de perfil alterada',
  'user.deactivate': 'Usuário desativado',
  'user.resetPassword': 'Senha redefinida',
  'user.signUp': 'Cadastro feito pelo próprio usuário',
} as const

export type LogAction = keyof typeof LOG_ACTIONS

/** What an entry says besides its action, for those actions that say more. Never a secret or what somebody wrote. */
export interface LogParams {
  readonly 'connection.news': Omit<ConnectionNews, 'at'>
  /** `from`: the contact that is gone; `names`: what it was known by. */
  readonly 'contact.merge': {
    readonly from: number
    readonly names: readonly { readonly kind: string; readonly value: string }[]
  }
  readonly 'contact.newNumber': { readonly from: readonly string[]; readonly to: string }
  /** `contactId`: who has the numbers now. */
  readonly 'contact.lostNumber': { readonly numbers: readonly string[]; readonly contactId: number }
  /** `from`: the message it was made of. */
  readonly 'message.forward': { readonly from: number }
  readonly 'protocol.create': { readonly protocolo: string }
  /** `value` as on the wire, but for texts, which are long. */
  readonly 'setting.update': { readonly key: string; readonly value?: string | undefined }
}

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
