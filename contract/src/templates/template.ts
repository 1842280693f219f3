// Message templates of the official API (spec 1 §3).
import { type Static, Type } from '../kit/schema.ts'

/** Parts in Meta's own form: header, body, footer, buttons. */
const Components = Type.Array(Type.Unknown(), { maxItems: 30 })

export const MessageTemplate = Type.Object({
  id: Type.String(),
  name: Type.String(),
  category: Type.String(),
  status: Type.String(),
  language: Type.String(),
  parameterFormat: Type.String({ description: 'POSITIONAL ({{1}}) or NAMED ({{nome}})' }),
  components: Type.Array(Type.Unknown()),
})
export type MessageTemplate = Static<typeof MessageTemplate>

/**
 * A template as it is sent. `components` are its parts with the words filled in, for showing; `parameters` the components of
 * the sending in Meta's form. A file of a header is named there by `uploadId` (`{ document: { uploadId } }`).
 */
export const ChosenTemplate = Type.Object({
  id: Type.Optional(Type.String({ maxLength: 100 })),
  name: Type.String({ minLength: 1, maxLength: 512 }),
  language: Type.String({ minLength: 2, maxLength: 20 }),
  components: Type.Optional(Components),
  parameters: Type.Optional(Components),
})
export type ChosenTemplate = Static<typeof ChosenTemplate>
