// What is being counted anew after another time zone or other opening hours were chosen (docs/decisions/0247).
import { Nullable, type Static, Type } from '../kit/schema.ts'

export const CountingProgress = Type.Object({
  what: Type.Union([Type.Literal('days'), Type.Literal('times')]),
  timezone: Nullable(Type.String({ description: 'of the days that are shown meanwhile; null: none are there yet' })),
  done: Type.Number({ minimum: 0, maximum: 1, description: 'the part that is counted' }),
})
export type CountingProgress = Static<typeof CountingProgress>
