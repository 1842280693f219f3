// The multipart form of a scheduled send, as the specification sends it (spec 1 §7): ids joined with commas, flags as text.
import { type ChosenTemplate, truncateText } from '@balcao/contract'
import type { UploadForm } from '../../desk/media/form.ts'
import type { ReceivedFile } from '../../desk/media/store.ts'
import { parseIdList, parseVersion } from '../../platform/http/validate.ts'
import { parseTemplate } from '../sends/form.ts'

/** What a form holds. Null: not given. */
export interface ScheduleInput {
  readonly title: string | null
  readonly message: string | null
  readonly recurrence: string | null
  readonly RValue: string | null
  readonly sendAt: string | null
  readonly allContacts: boolean | null
  readonly contactsIds: readonly number[] | null
  readonly tagsIds: readonly number[] | null
  readonly whatsappId: number | null
  readonly firstSend: boolean | null
  readonly onlyWorkingHours: boolean | null
  /** `none`: taken away. */
  readonly template: ChosenTemplate | 'none' | null
  /** Names a new one: the same again is the same. */
  readonly clientId: string | null
  /** The one that was read before it was changed. */
  readonly version: number | undefined
  readonly file: ReceivedFile | null
}

/** Reads a form. Throws `ERR_VALIDATION` for ids that are none. */
export function readScheduleForm(form: UploadForm): ScheduleInput {
  const text = (name: string) => form.text(name)?.trim() ?? null
  const flag = (name: string) => {
    const value = text(name)
    return value === null ? null : value === 'true' || value === '1'
  }
  const ids = (name: string) => {
    const value = text(name)
    return value === null ? null : parseIdList(value, name)
  }
  const [template, title] = [text('template'), text('title')]
  return {
    title: title === null ? null : truncateText(title, 255),
    message: text('message'),
    recurrence: text('recurrence'),
    RValue: text('RValue'),
    sendAt: text('sendAt'),
    allContacts: flag('allContacts'),
    contactsIds: ids('contactsIds'),
    tagsIds: ids('tagsIds'),
    whatsappId: ids('whatsappId')?.[0] ?? null,
    firstSend: flag('firstSend'),
    onlyWorkingHours: flag('onlyWorkingHours'),
    template: template === null ? null : (parseTemplate(template) ?? 'none'),
    clientId: text('clientId')?.slice(0, 100) || null,
    version: parseVersion(text('version')),
    file: form.files('medias').find(each => each.size > 0) ?? null,
  }
}
