// What another program sends, as the messages it becomes: a text with its files or choices, or a template.
import { appendMenu, areChoicesClear, KIND_TABLE, type Kind, toMenu } from '@balcao/contract'
import type { FileToSend } from '../../desk/media/table.ts'
import { toContentColumns, toMessageContents } from '../../desk/messages/content.ts'
import { renderTemplateText } from '../../desk/messages/templates.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import type { ApiSendRequest } from './request.ts'

/** Throws `ERR_VALIDATION` for what is nothing, or two things at once. */
export function checkContents({ body = '', files, choices, template }: ApiSendRequest, kind: Kind): void {
  const hasText = body.trim() !== ''
  if (!hasText && files.length === 0 && !template) throw createFieldError('body', 'call.textOrFile')
  if (choices && (!hasText || files.length > 0 || !areChoicesClear(choices)))
    throw createFieldError('choices', 'schema.fieldInvalid')
  if (!template) return
  if (hasText || files.length > 0 || choices || !KIND_TABLE[kind].can.templates)
    throw createFieldError('template', 'schema.fieldInvalid')
  // Files of our store are claimed by people: a program names those of its own by their address.
  if (/"(uploadId|mediaId)"\s*:/.test(JSON.stringify(template.parameters ?? [])))
    throw createFieldError('template', 'schema.fieldInvalid')
}

/** In their order; `file` is to be claimed. */
export function toMessages({ body = '', choices, template }: ApiSendRequest, files: readonly FileToSend[]) {
  if (template) {
    const { id, name, language, components = [], parameters = [] } = template
    return [
      {
        body: renderTemplateText(template),
        mediaType: 'template',
        templateData: { id: id ?? name, components },
        payload: { type: 'template', name, lang: language, components: parameters },
      } as const,
    ]
  }
  const menu = choices && toMenu(body.trim(), choices)
  if (menu) return [toContentColumns({ body: appendMenu(body.trim(), menu.options), menu })]
  return toMessageContents(body.trim(), files).map(toContentColumns)
}
