import { Id, type Static, Type } from '../kit/schema.ts'
import { AttachedFile } from '../messages/attached-file.ts'

/** A text shortcut, optionally with a file (spec 3 §2). */
export const QuickAnswer = Type.Object({
  id: Id,
  shortcut: Type.String(),
  message: Type.String(),
  ...AttachedFile.properties,
  version: Type.Integer(),
})
export type QuickAnswer = Static<typeof QuickAnswer>

/** Media types a quick answer may carry, by content (spec 3 §5). */
export const QUICK_ANSWER_EXTENSIONS = [
  'jpeg',
  'jpg',
  'png',
  'pdf',
  'xlsx',
  'docx',
  'pptx',
  'pub',
  'doc',
  'xls',
  'csv',
  'txt',
  'mp4',
  'mp3',
  'ogg',
] as const
