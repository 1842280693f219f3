// The form of a quick answer (spec 3 §5): what is wrong with it, and the body that is sent.
import type { QuickAnswer } from '@balcao/contract'
import { QUICK_ANSWER_EXTENSIONS } from '@balcao/contract/entities/quick-answer'
import { LIMITS } from '@balcao/contract/limits'
import { nameProblem } from '@balcao/contract/validation'
import { type Faults, hasEnding } from '@balcao/ui/screens'

export interface Fields {
  readonly shortcut: string
  readonly message: string
  /** A file chosen now, the name of the one that is kept, or none. */
  readonly media: File | string | null
}

export function fieldsOf(answer: QuickAnswer | null): Fields {
  return { shortcut: answer?.shortcut ?? '', message: answer?.message ?? '', media: answer?.mediaName ?? null }
}

export function faultsOf({ shortcut, message, media }: Fields): Faults<Fields> {
  const isWrong = media instanceof File && !hasEnding(media.name, QUICK_ANSWER_EXTENSIONS)
  return {
    shortcut: nameProblem(cleanShortcut(shortcut), LIMITS.quickAnswer.shortcut) ?? undefined,
    message: nameProblem(message, LIMITS.quickAnswer.message) ?? undefined,
    media: isWrong ? 'ERR_FILE_TYPE' : undefined,
  }
}

/** The shortcut without blanks around it and without the slash some people type. */
export function cleanShortcut(shortcut: string) {
  return shortcut.trim().replace(/^\/+/, '').trim()
}

/** The multipart body of POST and PUT (spec 3 §7): shortcut, message, medias; `removeMedia` drops the old file. */
export function formDataOf({ shortcut, message, media }: Fields, answer: QuickAnswer | null): FormData {
  const body = new FormData()
  body.set('shortcut', cleanShortcut(shortcut))
  body.set('message', message.trim())
  if (media instanceof File) body.set('medias', media, media.name)
  else if (media === null && answer?.mediaName) body.set('removeMedia', 'true')
  return body
}

/** The names in braces are what a person types, not values to fill in here. */
export const PLACEHOLDERS = Object.fromEntries(
  ['user', 'queue', 'name', 'number', 'date', 'time'].map(name => [name, `{{${name}}}`]),
)
