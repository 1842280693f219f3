import { useTexts } from '@balcao/ui/i18n'
import { Banner } from '@balcao/ui/parts'
import { Unplug } from 'lucide-react'
import { describeDowntime, useDown } from '../desk/use-downtime.ts'
import { useMinute } from '../use-minute.ts'

/** What is written now goes out later: said where it is written. */
export function DownNote({ whatsappId }: { readonly whatsappId: number }) {
  const t = useTexts('tickets')
  const now = useMinute()
  const down = useDown(whatsappId)
  if (!down) return null
  return (
    <Banner kind="waiting" icon={Unplug}>
      {describeDowntime(down, t, now)}
    </Banner>
  )
}
