// The form of a mass send (spec 3 §2, §5): what stands in it, what is wrong with it, and what is sent. Pure.

import {
  type ConnectionBrief,
  canCarryFileType,
  type MassSendForm,
  type RequestBody,
  validateMassSend,
} from '@balcao/contract'
import { describeFault } from '@balcao/ui/catalogue'
import type { TemplateInput } from '@balcao/ui/forms'
import type { FieldFaults, PickedRecipients } from '@balcao/ui/screens'

export interface SendFields {
  readonly mensagem: string
  /** Ends with the sentence that tells how to get no more. */
  readonly wayOut: boolean
  readonly media: File | null
  readonly recipients: PickedRecipients
  /** Null: the default one. */
  readonly whatsappId: number | null
  readonly template: TemplateInput | null
  readonly onlyWorkingHours: boolean
  readonly onlyWhoWrote: boolean
}

export const EMPTY: SendFields = {
  mensagem: '',
  wayOut: true,
  media: null,
  recipients: { by: 'tags', contacts: [], tagIds: [] },
  whatsappId: null,
  template: null,
  onlyWorkingHours: true,
  onlyWhoWrote: false,
}

/** The words of the specification that can be filled in for each contact (spec 3 §9). */
export const PLACEHOLDERS = ['ms', 'name', 'number', 'date', 'time', 'user'] as const

/** What customers read below the message; theirs is the company's language, not the agent's. */
export function formatOptOutSentence(word: string): string {
  return `Para não receber mais, responda ${word}.`
}

/** The words that go out, before they are filled in. `word`: the one that opts out, '' where there is none. */
export function toSendText({ mensagem, wayOut }: Pick<SendFields, 'mensagem' | 'wayOut'>, word: string): string {
  const text = mensagem.trim()
  return wayOut && word !== '' && text !== '' ? `${text}\n\n${formatOptOutSentence(word)}` : text
}

/** The connection a send would go by; null where there is none. */
export function findConnection<C extends Pick<ConnectionBrief, 'id' | 'isDefault'>>(
  all: readonly C[],
  whatsappId: number | null,
): C | null {
  if (whatsappId !== null) return all.find(({ id }) => id === whatsappId) ?? null
  return all.find(({ isDefault }) => isDefault) ?? all[0] ?? null
}

/** Those there are; null while nobody knows. */
export type Connections = readonly Pick<ConnectionBrief, 'id' | 'api' | 'isDefault'>[] | null

/** What is wrong. */
export function validateFields(fields: SendFields, word: string, connections: Connections): FieldFaults<SendFields> {
  const kind = findConnection(connections ?? [], fields.whatsappId)?.api
  const contents = {
    mensagem: toSendText(fields, word),
    hasFile: fields.media !== null,
    hasTemplate: fields.template !== null,
  }
  const found = validateMassSend({ ...toRecipientFields(fields), ...contents }, kind)
  const named = found.map(
    ({ path, code, params }) =>
      [FIELDS[path], params ? describeFault(`send.${code}`, params) : `send.${code}`] as const,
  )
  return Object.fromEntries([
    ...named,
    ...(fields.media && !canCarryFileType(fields.media.type) ? [['media', 'ERR_FILE_TYPE']] : []),
    ...(fields.template?.missing ? [['template', 'send.templateIncomplete']] : []),
    ...(connections && kind === undefined
      ? [['whatsappId', connections.length > 0 ? 'send.connectionGone' : 'send.noConnection']]
      : []),
  ])
}

const FIELDS = { mensagem: 'mensagem', contactsIds: 'recipients', tagsIds: 'recipients', template: 'template' } as const

function toRecipientFields({ recipients }: SendFields): Pick<MassSendForm, 'allContacts' | 'contactsIds' | 'tagsIds'> {
  const { by, contacts, tagIds } = recipients
  return {
    allContacts: by === 'all',
    contactsIds: by === 'contacts' ? contacts.map(({ id }) => id) : [],
    tagsIds: by === 'tags' ? tagIds : [],
  }
}

/** Whether anybody is chosen: before, there is nothing to count. */
export function hasRecipients(fields: SendFields): boolean {
  const { allContacts, contactsIds, tagsIds } = toRecipientFields(fields)
  return allContacts || contactsIds.length > 0 || tagsIds.length > 0
}

/** It goes by the connection that is shown, also where the default one changes as it is sent. */
export function toBody(
  fields: SendFields,
  word: string,
  connections: Connections,
): RequestBody<'POST /envioMassa/preview'> {
  const { allContacts, contactsIds, tagsIds } = toRecipientFields(fields)
  const { template, onlyWorkingHours, onlyWhoWrote } = fields
  const whatsappId = findConnection(connections ?? [], fields.whatsappId)?.id ?? fields.whatsappId
  return {
    mensagem: toSendText(fields, word),
    allContacts,
    contactsIds: contactsIds.join(','),
    tagsIds: tagsIds.join(','),
    ...(whatsappId !== null && { whatsappId }),
    ...(template && { template: template.chosen }),
    onlyWorkingHours,
    onlyWhoWrote,
  }
}

/** The same as a form, with its file. */
export function toFormData(fields: SendFields, word: string, connections: Connections, clientId: string): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries({ ...toBody(fields, word, connections), clientId }))
    form.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  if (fields.media) form.append('medias', fields.media)
  return form
}

/** A text with a word put in where the caret stands, or in place of what is marked; and where it stands then. */
export function withWord(text: string, from: number, to: number, word: string): { text: string; caret: number } {
  const put = `{{${word}}}`
  return { text: text.slice(0, from) + put + text.slice(to), caret: from + put.length }
}
