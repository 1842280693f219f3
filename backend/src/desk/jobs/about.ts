// What tells a job from others of its kind, out of what it was started with.
import { JOB_FORMATS, type JobSubject } from '@balcao/contract'
import Type from 'typebox'
import { createCheck } from '../../platform/http/validate.ts'

const Days = Type.Object({ firstDate: Type.Optional(Type.String()), lastDate: Type.Optional(Type.String()) })
/** Where the kinds of long work keep their days and their format. */
const Params = Type.Object({
  startDate: Type.Optional(Type.String()),
  endDate: Type.Optional(Type.String()),
  period: Type.Optional(Type.Object({ first: Type.String(), last: Type.String() })),
  filters: Type.Optional(Days),
  format: Type.Optional(Type.Enum([...JOB_FORMATS])),
})
const isReadable = createCheck(Params)

/** Null where its kind says it all. */
export function readSubject(params: unknown): JobSubject | null {
  if (!isReadable(params)) return null
  const from = dayText(params.startDate ?? params.period?.first ?? params.filters?.firstDate)
  const to = dayText(params.endDate ?? params.period?.last ?? params.filters?.lastDate)
  const { format = null } = params
  return from || to || format ? { from, to, format } : null
}

/** A day may have come as an instant. */
function dayText(text = ''): string | null {
  return /^\d{4}-\d\d-\d\d/.test(text) ? text.slice(0, 10) : null
}
