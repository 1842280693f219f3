// Going to a day of a conversation, from the field of its search: written in words or picked in the calendar.
import { parsePeriodWords } from '@balcao/contract/calendar/period-words'
import { reformatIsoDay } from '@balcao/contract/calendar/zoned-time'
import { describeError, formatDate, toCompanyDay, useTexts } from '@balcao/ui/i18n'
import { IconButton } from '@balcao/ui/parts'
import { useSetting } from '@balcao/ui/session'
import { CalendarDays, CornerDownRight } from 'lucide-react'
import { useRef, useState } from 'react'

interface DayMessage {
  readonly id: number
  readonly createdAt: string
}

/** The last message before a day, and the first of it or after it: those that there are. */
export type FindDay = (day: string) => Promise<readonly DayMessage[]>

interface DayJumpProps {
  readonly text: string
  readonly findDay: FindDay
  readonly onFound: (messageId: number) => void
}

/** The day that a text means, and how to go there; `note` is what is said of the last one. */
export function useDayJump({ text, findDay, onFound }: DayJumpProps) {
  const t = useTexts('tickets')
  const timezone = useSetting('timezone')
  const [note, setNote] = useState<{ readonly text: string; readonly says: string } | null>(null)
  const latest = useRef('')
  const day = parsePeriodWords(text, new Date(), timezone)?.from ?? null
  async function goTo(wanted: string) {
    latest.current = wanted
    try {
      const messages = await findDay(wanted)
      if (latest.current !== wanted) return
      const next = messages.find(each => toCompanyDay(each.createdAt) >= wanted)
      const nearest = next ?? messages.at(-1)
      if (nearest) onFound(nearest.id)
      setNote({ text, says: describeDay(wanted, next?.createdAt, messages.length > (next ? 1 : 0)) })
    } catch (error) {
      setNote({ text, says: describeError(error) })
    }
  }
  function describeDay(wanted: string, next: string | undefined, hasBefore: boolean): string {
    const day = reformatIsoDay(wanted)
    if (next === undefined) return t('find.nothingAfter', { day })
    if (toCompanyDay(next) === wanted) return ''
    return t(hasBefore ? 'find.nextDay' : 'find.nothingBefore', { day, next: formatDate(next) })
  }
  return { day, goTo, note: note?.text === text ? note.says : '' }
}

export function DayButton({ day, onGo }: { readonly day: string; readonly onGo: () => void }) {
  const t = useTexts('tickets')
  return (
    <button type="button" className="f-day" onClick={onGo}>
      <CornerDownRight size={14} strokeWidth={2} aria-hidden="true" />
      {t('find.goTo', { day: reformatIsoDay(day) })}
    </button>
  )
}

/** The browser's own calendar. */
export function DayPicker({ onPick }: { readonly onPick: (day: string) => void }) {
  const t = useTexts('tickets')
  const calendar = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton icon={CalendarDays} label={t('find.calendar')} onClick={() => calendar.current?.showPicker()} />
      <input
        ref={calendar}
        type="date"
        className="f-calendar"
        tabIndex={-1}
        aria-hidden="true"
        max={toCompanyDay(new Date())}
        onChange={({ target }) => target.value && onPick(reformatIsoDay(target.value))}
      />
    </>
  )
}
