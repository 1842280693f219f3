import { useState } from 'react'
import { reportErrors } from './report-errors.ts'

/**
 * Something a person does that takes a moment: busy until it is done, once at a time; what fails is told.
 *
 * @example const [busy, during] = useBusy(); const remove = () => during(async () => { await api('DELETE /tag/:id', …); onClose() })
 */
export function useBusy(): [busy: boolean, during: (work: () => Promise<unknown>) => void] {
  const [busy, setBusy] = useState(false)
  async function during(work: () => Promise<unknown>) {
    if (busy) return
    setBusy(true)
    await reportErrors(work)
    setBusy(false)
  }
  return [busy, work => void during(work)]
}
