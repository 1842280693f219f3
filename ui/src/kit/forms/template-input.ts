// A template of the official API, filled in for mass and scheduled sends: what stands in its holes may be filled in for each contact. Pure.
import type { ChosenTemplate, MessageTemplate } from '@balcao/contract'
import {
  extractTemplateParameters,
  fillTemplate,
  getHeaderFileKind,
  parseChosenTemplate,
  type StoredHeaderFile,
  toChosenTemplate,
} from '@balcao/contract/templates/template-form'

/** The file of its header, uploaded. */
export interface HeaderUpload {
  readonly uploadId: string
  readonly name: string
}

export interface TemplateInput {
  readonly of: MessageTemplate
  readonly values: ReadonlyMap<string, string>
  readonly file: HeaderUpload | StoredHeaderFile | null
  readonly chosen: ChosenTemplate
  /** Something is not filled in. */
  readonly missing: boolean
}

/** A template as somebody chose it: a hole that says it is a name gets each customer's. */
export function startTemplate(of: MessageTemplate): TemplateInput {
  const named = extractTemplateParameters(of).filter(({ word }) => /^(nome|name|nombre|cliente|customer)$/i.test(word))
  return updateTemplate(of, new Map(named.map(({ key }) => [key, '{{name}}'])), null)
}

/** One that was chosen before, as it was filled in. */
export function restoreTemplate(of: MessageTemplate, chosen: ChosenTemplate): TemplateInput {
  const { values, file } = parseChosenTemplate(of, chosen)
  return updateTemplate(of, values, file)
}

export function updateTemplate(
  of: MessageTemplate,
  values: ReadonlyMap<string, string>,
  file: HeaderUpload | StoredHeaderFile | null,
): TemplateInput {
  const isEmpty = ({ key }: { readonly key: string }) => (values.get(key)?.trim() ?? '') === ''
  const missing = extractTemplateParameters(of).some(isEmpty) || (getHeaderFileKind(of) !== null && file === null)
  return {
    of,
    values,
    file,
    missing,
    chosen: toChosenTemplate(of, values, file && 'uploadId' in file ? file.uploadId : file),
  }
}

/** Its words as they stand now, part by part; what is still empty keeps its braces. */
export function renderTemplateText({ of, values }: TemplateInput): string {
  const parts = fillTemplate(of, values).map(part =>
    typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : '',
  )
  return parts.filter(Boolean).join('\n\n')
}
