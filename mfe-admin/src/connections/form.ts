// The connection form (spec 2 §2, §5): its fields, what is wrong with them, and the body that is sent.
import type { Connection, RequestBody } from '@balcao/contract'
import { KINDS, type Kind } from '@balcao/contract/connections/kind-names'
import { ANY_KIND, findInvalidFields, KIND_TABLE } from '@balcao/contract/connections/kinds'
import { validateFlow } from '@balcao/contract/connections/rules'
import { LIMITS } from '@balcao/contract/kit/limits'
import { validateName } from '@balcao/contract/kit/validation'
import type { FieldFaults } from '@balcao/ui/screens'

/** Texts of the form, in the order they are shown. */
export const MESSAGES = [
  'greetingMessage',
  'greetingBotMessage',
  'greetingMessageRedirect',
  'farewellMessage',
  'npsMessage',
  'npsTksMessage',
] as const

/** Where the flow is that takes new conversations. */
export const FLOW = ['publicDNSTypebot', 'publicIDTypebot'] as const

/** Longest text of a message. */
const MESSAGE_LENGTH = 4096

/** What a new connection is offered first, in this order. */
export const FIRST_KINDS: readonly Kind[] = KINDS.filter(kind => KIND_TABLE[kind].prominence !== 'other')

export type ConnectionFields = Readonly<Required<Omit<RequestBody<'POST /whatsapp'>, 'clientId'>>>

const EMPTY: ConnectionFields = {
  name: '',
  api: ANY_KIND,
  isDefault: false,
  nps: false,
  queueIds: [],
  greetingMessage: '',
  greetingBotMessage: '',
  greetingMessageRedirect: '',
  farewellMessage: '',
  npsMessage: '',
  npsTksMessage: '',
  metaIntegration: true,
  phoneNumberId: '',
  wabaId: '',
  tokenMeta: '',
  publicDNSTypebot: '',
  publicIDTypebot: '',
  dailyCap: null,
}

/** An empty form; the first connection of all starts as the default one. */
export function createEmptyFields(
  isDefault: boolean,
  texts: Pick<ConnectionFields, 'npsMessage' | 'npsTksMessage'>,
): ConnectionFields {
  return { ...EMPTY, isDefault, ...texts }
}

/** The form of an existing connection. The token is never sent by the server: empty means keep it. */
export function toFields(connection: Connection): ConnectionFields {
  const known: Record<string, unknown> = { ...connection, tokenMeta: '' }
  const fields = Object.keys(EMPTY).map(name => [name, known[name]])
  return { ...EMPTY, ...Object.fromEntries(fields) }
}

/** Everything wrong with the form. `hasToken`: the server already keeps one. */
export function validateFields(
  fields: ConnectionFields,
  { hasToken }: { readonly hasToken: boolean },
): FieldFaults<ConnectionFields> {
  const { name, queueIds, greetingMessage } = fields
  const tooLong = MESSAGES.filter(message => fields[message].length > MESSAGE_LENGTH)
  const wrong = findInvalidFields(fields.api, fields, hasToken)
  return {
    name: validateName(name, LIMITS.connectionName) ?? undefined,
    greetingMessage: queueIds.length > 1 && !greetingMessage.trim() ? 'ERR_WAPP_GREETING_REQUIRED' : undefined,
    ...Object.fromEntries(tooLong.map(message => [message, 'field.tooLong'])),
    ...Object.fromEntries(
      wrong.map(({ name, fault }) => [name, fault ? `connection.${fault}` : 'schema.fieldRequired']),
    ),
    ...Object.fromEntries(Object.entries(validateFlow(fields)).map(([name, code]) => [name, `connection.${code}`])),
    dailyCap: isCap(fields.dailyCap) ? undefined : 'connection.dailyCapWrong',
  }
}

/** None of its own, or as many as the server takes. */
function isCap(most: number | null): boolean {
  return most === null || (most >= 1 && most <= 1_000_000)
}

/** The body of POST: of what is a kind's own only this kind's. */
export function toCreateBody(fields: ConnectionFields): RequestBody<'POST /whatsapp'> {
  const { metaIntegration, phoneNumberId, wabaId, tokenMeta, ...every } = fields
  const own = KIND_TABLE[fields.api].fields.length > 0
  return {
    ...every,
    queueIds: [...fields.queueIds],
    name: fields.name.trim(),
    ...(own && {
      metaIntegration,
      phoneNumberId: phoneNumberId.trim(),
      wabaId: wabaId.trim(),
      tokenMeta: tokenMeta.trim(),
    }),
    publicDNSTypebot: fields.publicDNSTypebot.trim(),
    publicIDTypebot: fields.publicIDTypebot.trim(),
  }
}

/** The body of PUT: without what is locked (spec 2 §5), and without an empty key, which keeps the stored one. */
export function toUpdateBody(fields: ConnectionFields): RequestBody<'PUT /whatsapp/:id'> {
  const { name: _name, api: _api, tokenMeta, ...rest } = toCreateBody(fields)
  return tokenMeta ? { ...rest, tokenMeta } : rest
}
