// What somebody fills in to send to many, as JSON or as a form with a file (spec 3 §7): ids joined with commas.
import { ChosenTemplate, endpoints, LIMITS, type RequestBody } from '@balcao/contract'
import type { UploadForm } from '../../desk/media/form.ts'
import type { ReceivedFile } from '../../desk/media/store.ts'
import { parseFieldJson } from '../../platform/http/body.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import { createValidator, parseIdList } from '../../platform/http/validate.ts'
import type { Recipients } from './table.ts'

export interface SendInput {
  readonly mensagem: string
  readonly recipients: Recipients
  readonly whatsappId: number | null
  readonly template: ChosenTemplate | null
  readonly onlyWorkingHours: boolean
  readonly onlyWhoWrote: boolean
  readonly clientId: string | null
  readonly file: ReceivedFile | null
}

const checkFields = createValidator(endpoints['POST /envioMassa'].body, 'text')
const checkTemplate = createValidator(ChosenTemplate)

/** Reads a form with a file. Throws `ERR_VALIDATION` for what cannot be read. */
export function readSendForm(form: UploadForm): SendInput {
  const { template, log: _log, ...texts } = form.texts
  const filledIn = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''))
  const fields = checkFields({ mensagem: '', ...filledIn })
  const file = form.files('medias').find(each => each.size > 0) ?? null
  return { ...parseSendBody(fields), template: parseTemplate(template ?? ''), file }
}

/** A body of JSON. Sending to all takes the place of everything chosen one by one. */
export function parseSendBody(body: RequestBody<'POST /envioMassa'>): SendInput {
  const allContacts = body.allContacts ?? false
  const ids = (path: 'contactsIds' | 'tagsIds') => (allContacts ? [] : parseIdList(body[path] ?? '', path))
  return {
    mensagem: body.mensagem.trim(),
    recipients: { allContacts, contactsIds: ids('contactsIds'), tagsIds: ids('tagsIds') },
    whatsappId: body.whatsappId ?? null,
    template: body.template ?? null,
    onlyWorkingHours: body.onlyWorkingHours ?? false,
    onlyWhoWrote: body.onlyWhoWrote ?? false,
    clientId: body.clientId ?? null,
    file: null,
  }
}

/** A template as a form has it, as JSON; none where there are no words. Throws `ERR_VALIDATION`. */
export function parseTemplate(text: string): ChosenTemplate | null {
  if (text.trim() === '') return null
  try {
    return checkTemplate(parseFieldJson(text, LIMITS.textLength))
  } catch {
    throw createFieldError('template', 'call.template')
  }
}
