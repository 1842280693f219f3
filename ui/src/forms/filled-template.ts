// A template of the official API, filled in for mass and scheduled sends: what stands in its holes may be filled in for each contact. Pure.
import type { ChosenTemplate, MessageTemplate } from '@balcao/contract'
import { chosenTemplate, filledIn, givenIn, headerFileOf, holesOf, type KeptFile } from '@balcao/contract/template-form'

/** The file of its header, uploaded. */
export interface HeaderUpload {
  readonly uploadId: string
  readonly name: string
}

export interface FilledTemplate {
  readonly of: MessageTemplate
  readonly values: ReadonlyMap<string, string>
  readonly file: HeaderUpload | KeptFile | null
  readonly chosen: ChosenTemplate
  /** Something is not filled in. */
  readonly missing: boolean
}

/** A template as somebody chose it: a hole that says it is a name gets each customer's. */
export function begunWith(of: MessageTemplate): FilledTemplate {
  const named = holesOf(of).filter(({ word }) => /^(nome|name|nombre|cliente|customer)$/i.test(word))
  return templateWith(of, new Map(named.map(({ key }) => [key, '{{name}}'])), null)
}

/** One that was chosen before, as it was filled in. */
export function begunAgain(of: MessageTemplate, chosen: ChosenTemplate): FilledTemplate {
  const { values, file } = givenIn(of, chosen)
  return templateWith(of, values, file)
}

export function templateWith(
  of: MessageTemplate,
  values: ReadonlyMap<string, string>,
  file: HeaderUpload | KeptFile | null,
): FilledTemplate {
  const isEmpty = ({ key }: { readonly key: string }) => (values.get(key)?.trim() ?? '') === ''
  const missing = holesOf(of).some(isEmpty) || (headerFileOf(of) !== null && file === null)
  return {
    of,
    values,
    file,
    missing,
    chosen: chosenTemplate(of, values, file && 'uploadId' in file ? file.uploadId : file),
  }
}

/** Its words as they stand now, part by part; what is still empty keeps its braces. */
export function wordsOf({ of, values }: FilledTemplate): string {
  const parts = filledIn(of, values).map(part =>
    typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : '',
  )
  return parts.filter(Boolean).join('\n\n')
}
