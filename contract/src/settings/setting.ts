import { Id, Instant, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'

/** A setting as on the wire. What follows the value is for administrators. */
export const Setting = Type.Object({
  key: Type.String(),
  value: Type.String(),
  /** Grows by one with each change; 0: never changed. */
  version: Type.Optional(Type.Integer({ minimum: 0 })),
  changedAt: Type.Optional(Nullable(Instant)),
  /** Who changed it last; null: nobody yet, or the system. */
  changedBy: Type.Optional(Nullable(Type.Object({ id: Id, name: Type.String() }))),
})
export type Setting = Static<typeof Setting>

/** What came of saving; `defaultText`: an empty text became the default (spec 2 §4). */
export const SettingSaveResult = Type.Object({
  ...Setting.properties,
  warning: Type.Optional(StringEnum(['defaultText'])),
})
export type SettingSaveResult = Static<typeof SettingSaveResult>

const Moved = { appear: Type.Integer(), disappear: Type.Integer() }

/** Which live tickets would appear and disappear with another value, for whom (decisions-2 §18). */
export const SettingPreview = Type.Object({
  /** Each ticket once, for however many people. */
  tickets: Type.Object(Moved),
  /** Those for whom anything changes, who are shown most of it first; `waiting`: as many of theirs are pending. */
  people: Type.Array(Type.Object({ userId: Id, name: Type.String(), ...Moved, waiting: Type.Integer() })),
})
export type SettingPreview = Static<typeof SettingPreview>
