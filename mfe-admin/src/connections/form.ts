// The connection form (spec 2 §2, §5): its fields, what is wrong with them, and the body that is sent.
import type { BodyOf, Connection } from '@balcao/contract'
import type { Kind } from '@balcao/contract/kind-names'
import { ANY_KIND, KIND_TABLE, wrongFields } from '@balcao/contract/kinds'
import { LIMITS } from '@balcao/contract/limits'
import { nameProblem } from '@balcao/contract/validation'

/** Texts of the form, in the order they are shown. */
export const MESSAGES = [
  'greetingMessage',
  'greetingBotMessage',
  'greetingMessageRedirect',
  'farewellMessage',
  'npsMessage',
  'npsTksMessage',
] as const
export type MessageField = (typeof MESSAGES)[number]

/** Longest text of a message. */
export const MESSAGE_LENGTH = 4096

export interface Fields {
  readonly name: string
  readonly api: Kind
  readonly isDefault: boolean
  readonly nps: boolean
  readonly queueIds: readonly number[]
  readonly messages: Readonly<Record<MessageField, string>>
  readonly metaIntegration: boolean
  readonly phoneNumberId: string
  readonly wabaId: string
  readonly tokenMeta: string
  readonly publicDNSTypebot: string
  readonly publicIDTypebot: string
}

export type Field = keyof Omit<Fields, 'messages'> | MessageField
/** Wrong fields and their texts: those of the specification as they are, `required` and codes by key. */
export type Problems = Readonly<Partial<Record<Field, string>>>

/** An empty form; the first connection of all starts as the default one. */
export function emptyFields(first: boolean, texts: { readonly nps: string; readonly npsThanks: string }): Fields {
  return {
    name: '',
    api: ANY_KIND,
    isDefault: first,
    nps: false,
    queueIds: [],
    messages: { ...noMessages(), npsMessage: texts.nps, npsTksMessage: texts.npsThanks },
    metaIntegration: true,
    phoneNumberId: '',
    wabaId: '',
    tokenMeta: '',
    publicDNSTypebot: '',
    publicIDTypebot: '',
  }
}

/** The form of an existing connection. The token is never sent by the server: empty means keep it. */
export function fieldsOf(connection: Connection): Fields {
  const messages = noMessages()
  for (const field of MESSAGES) messages[field] = connection[field]
  const { name, api, isDefault, nps, queueIds, metaIntegration, phoneNumberId, wabaId } = connection
  const { publicDNSTypebot, publicIDTypebot } = connection
  return {
    ...{ name, api, isDefault, nps, queueIds, messages, metaIntegration, phoneNumberId, wabaId },
    ...{ tokenMeta: '', publicDNSTypebot, publicIDTypebot },
  }
}

/** Everything wrong with the form. `hasToken`: the server already keeps one. */
export function problemsOf(fields: Fields, { hasToken }: { readonly hasToken: boolean }): Problems {
  const problems: Partial<Record<Field, string>> = {}
  const name = nameProblem(fields.name, LIMITS.connectionName)
  if (name) problems.name = name
  if (fields.queueIds.length > 1 && !fields.messages.greetingMessage.trim())
    problems.greetingMessage = 'ERR_WAPP_GREETING_REQUIRED'
  for (const field of MESSAGES) if (fields.messages[field].length > MESSAGE_LENGTH) problems[field] = 'Too Long!'
  for (const { name, type } of wrongFields(fields.api, fields, hasToken))
    problems[name] = type === 'secret' ? 'Required' : `form.${name}Wrong`
  if (fields.publicDNSTypebot.trim() && !isAddress(fields.publicDNSTypebot))
    problems.publicDNSTypebot = 'form.addressWrong'
  return problems
}

/** The body of POST and PUT. When editing, name and kind stay out: they are locked. */
export function bodyOf(fields: Fields, editing: boolean): BodyOf<'POST /whatsapp'> {
  const meta = KIND_TABLE[fields.api].fields.length > 0
  const token = fields.tokenMeta.trim()
  return {
    name: fields.name.trim(),
    api: fields.api,
    isDefault: fields.isDefault,
    nps: fields.nps,
    queueIds: [...fields.queueIds],
    ...fields.messages,
    ...(meta && {
      metaIntegration: fields.metaIntegration,
      phoneNumberId: fields.phoneNumberId.trim(),
      wabaId: fields.wabaId.trim(),
      ...((token || !editing) && { tokenMeta: token }),
    }),
    publicDNSTypebot: fields.publicDNSTypebot.trim(),
    publicIDTypebot: fields.publicIDTypebot.trim(),
  }
}

/** As `bodyOf`, without what is locked (spec 2 §5). */
export function editBodyOf(fields: Fields): BodyOf<'PUT /whatsapp/:id'> {
  const { name: _name, api: _api, ...rest } = bodyOf(fields, true)
  return rest
}

function noMessages(): Record<MessageField, string> {
  return {
    greetingMessage: '',
    greetingBotMessage: '',
    greetingMessageRedirect: '',
    farewellMessage: '',
    npsMessage: '',
    npsTksMessage: '',
  }
}

function isAddress(text: string) {
  return /^https?:\/\/[^\s]+$/i.test(text.trim())
}
