import { Nullable, Type } from '../kit/schema.ts'

/** The one file that a text to be sent carries; all null without. */
export const AttachedFile = Type.Object({
  mediaUrl: Nullable(Type.String()),
  mediaType: Nullable(Type.String()),
  mediaName: Nullable(Type.String()),
})
