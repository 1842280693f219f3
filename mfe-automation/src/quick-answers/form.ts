// The form of a quick answer (spec 3 §5): what is wrong with it, and the body that is sent.
import type { QuickAnswer } from '@balcao/contract'
import { QUICK_ANSWER_EXTENSIONS } from '@balcao/contract/entities/quick-answer'
import { LIMITS } from '@balcao/contract/limits'
import { nameProblem } from '@balcao/contract/validation'

export interface Fields {
  readonly shortcut: string
  readonly message: string
  /** A newly chosen file. */
  readonly file: File | null
  /** The file that was there goes away. */
  readonly dropMedia: boolean
}

export type Field = 'shortcut' | 'message' | 'file'
/** Wrong fields; the texts of the specification as they are ('Required', 'Too Short!', 'Too Long!'), or `type`. */
export type Problems = Readonly<Partial<Record<Field, string>>>

/** What the file chooser offers. */
export const ACCEPT = QUICK_ANSWER_EXTENSIONS.map(extension => `.${extension}`).join(',')

export function fieldsOf(answer: QuickAnswer | null): Fields {
  return { shortcut: answer?.shortcut ?? '', message: answer?.message ?? '', file: null, dropMedia: false }
}

/** Everything wrong with the form. */
export function problemsOf({ shortcut, message, file }: Fields): Problems {
  const problems: Partial<Record<Field, string>> = {}
  const wrongShortcut = nameProblem(cleanShortcut(shortcut), LIMITS.quickAnswer.shortcut)
  if (wrongShortcut) problems.shortcut = wrongShortcut
  const wrongMessage = nameProblem(message, LIMITS.quickAnswer.message)
  if (wrongMessage) problems.message = wrongMessage
  if (file && !allowed(file.name)) problems.file = 'type'
  return problems
}

/** Whether a file of this name may go along; the server looks at its content too. */
export function allowed(fileName: string) {
  const extension = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''
  return QUICK_ANSWER_EXTENSIONS.some(known => known === extension)
}

/** The shortcut without blanks around it and without the slash some people type. */
export function cleanShortcut(shortcut: string) {
  return shortcut.trim().replace(/^\/+/, '').trim()
}

/** The multipart body of POST and PUT (spec 3 §7): shortcut, message, medias; `removeMedia` drops the old file. */
export function formDataOf(fields: Fields): FormData {
  const body = new FormData()
  body.set('shortcut', cleanShortcut(fields.shortcut))
  body.set('message', fields.message.trim())
  if (fields.file) body.set('medias', fields.file, fields.file.name)
  else if (fields.dropMedia) body.set('removeMedia', 'true')
  return body
}
