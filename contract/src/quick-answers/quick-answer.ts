import { Id, Nullable, type Static, Type } from '../kit/schema.ts'
import { AttachedFile } from '../messages/attached-file.ts'

/** A text shortcut, optionally with a file (spec 3 §2); of a queue, of one person alone, or with neither of the whole team. */
export const QuickAnswer = Type.Object({
  id: Id,
  shortcut: Type.String(),
  message: Type.String(),
  ...AttachedFile.properties,
  queueId: Nullable(Id),
  userId: Nullable(Id),
  version: Type.Integer(),
})
export type QuickAnswer = Static<typeof QuickAnswer>

/** Whose an answer is, as forms and filters say it: the whole team's, one's own, or that of a queue by its id. */
export const QuickAnswerScope = Type.String({
  pattern: '^(team|own|[1-9][0-9]{0,8})$',
  description: 'team, own, or the id of a queue',
})

/** The scope in which a person sees an answer. */
export function getScope({ queueId, userId }: Pick<QuickAnswer, 'queueId' | 'userId'>): string {
  return userId !== null ? 'own' : queueId === null ? 'team' : String(queueId)
}

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
