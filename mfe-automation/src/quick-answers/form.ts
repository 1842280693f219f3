// The form of a quick answer (spec 3 §5): what stands in it, what is wrong with its file, and the body that is sent.
import type { QuickAnswer } from '@balcao/contract'
import { getScope, QUICK_ANSWER_EXTENSIONS } from '@balcao/contract/quick-answers/quick-answer'
import { type FieldFaults, hasEnding } from '@balcao/ui/screens'

export interface QuickAnswerFields {
  readonly shortcut: string
  readonly message: string
  /** Whose it is: `team`, `own`, or the id of a queue. */
  readonly scope: string
  /** A file chosen now, the name of the one that is kept, or none. */
  readonly media: File | string | null
}

export function toFields(answer: QuickAnswer | null): QuickAnswerFields {
  const { shortcut = '', message = '', mediaName = null } = answer ?? {}
  return { shortcut, message, scope: answer ? getScope(answer) : 'team', media: mediaName }
}

export function validateFields({ media }: QuickAnswerFields): FieldFaults<QuickAnswerFields> {
  return media instanceof File && !hasEnding(media.name, QUICK_ANSWER_EXTENSIONS) ? { media: 'ERR_FILE_TYPE' } : {}
}

/** The multipart body of POST and PUT (spec 3 §7): shortcut, message, scope, medias; `removeMedia` drops the old file. */
export function toFormData(
  { shortcut, message, scope, media }: QuickAnswerFields,
  answer: QuickAnswer | null,
  version?: number,
): FormData {
  const body = new FormData()
  body.set('shortcut', shortcut)
  body.set('message', message)
  body.set('scope', scope)
  if (media instanceof File) body.set('medias', media, media.name)
  else if (media === null && answer?.mediaName) body.set('removeMedia', 'true')
  if (version !== undefined) body.set('version', String(version))
  return body
}

/** The names in braces are what a person types, not values to fill in here. */
export const PLACEHOLDERS = Object.fromEntries(
  ['user', 'queue', 'name', 'number', 'date', 'time'].map(name => [name, `{{${name}}}`]),
)
