import { Id, type Static, Type } from '../schema.ts'

export const Tag = Type.Object({ id: Id, name: Type.String(), color: Type.String() })
export type Tag = Static<typeof Tag>
