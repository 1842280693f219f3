// A scheduled send as it is now, for as long as its form is open.
import { api, isApiError } from '@balcao/ui/api'
import { reportErrors, useQuery } from '@balcao/ui/ask'
import { describeError } from '@balcao/ui/i18n'
import { combineStops, live } from '@balcao/ui/live'
import { toast } from '@balcao/ui/parts'
import { useEffect, useState } from 'react'
import { useFormTexts } from './texts.ts'

/** What colleagues change meanwhile comes live; null asks nothing. `onMissing`: there is none, or it may not be seen. */
export function useHeldSchedule(id: number | null, onMissing: () => void) {
  const t = useFormTexts()
  const [isGone, setGone] = useState(false)
  const { last, again } = useQuery(id, () => api('GET /agendamento/:id', { params: { id: id ?? 0 } }), {
    onError(error) {
      if (last === null) {
        toast.error(describeError(error))
        onMissing()
      } else if (isApiError(error, 'ERR_NO_SCHEDULE_FOUND')) setGone(true)
    },
  })
  useEffect(() => {
    if (id === null) return
    const heard = live.on('agendamento', event => {
      if (event.agendamentoId !== id) return
      if (event.action === 'delete') setGone(true)
      else again()
    })
    return combineStops(heard, live.onReset(again))
  }, [id, again])

  /** At once, as the file is: the form need not be saved. */
  function removeFile() {
    if (id === null) return
    void reportErrors(async () => {
      await api('DELETE /agendamento/file/:id', { params: { id } })
      toast.success(t('schedule.fileRemoved'))
      again()
    })
  }

  return { schedule: id === null ? null : last, isGone, look: again, removeFile }
}
