// Going to a day of a conversation, from the field of its search: written in words or picked in the calendar.
import { type Period, parsePeriodWords } from '@balcao/contract/calendar/period-words'
import { reformatIsoDay } from '@balcao/contract/calendar/zoned-time'
import { describeError, formatDate, toCompanyDay, useTexts } from '@balcao/ui/i18n'
import { IconButton } from '@balcao/ui/parts'
import { useSetting } from '@balcao/ui/session'
import { CalendarDays, CornerDownRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

interface DayMessage {
  readonly id: number
  readonly createdAt: string
}

/** The last message before a day, and the first of it or after it: those that there are. */
export type FindDay = (day: string) => Promise<readonly DayMessage[]>

interface DayJumpProps {
  readonly text: string
  readonly findDay: FindDay
  /** The message to show; whether it is of that period. */
  readonly onFound: (messageId: number, isThere: boolean) => void
}

/** The period that a text means, and how to go to its first day; `note` is what is said of the last one. */
export function useDayJump({ text, findDay, onFound }: DayJumpProps) {
  const t = useTexts('tickets')
  const timezone = useSetting('timezone')
  const [note, setNote] = useState<{ readonly from: string; readonly says: string } | null>(null)
  const latest = useRef<Period>(null)
  const period = parsePeriodWords(text, new Date(), timezone)
  // Whoever shuts it meanwhile stays where they are.
  useEffect(
    () => () => {
      latest.current = null
    },
    [],
  )
  async function goTo(wanted: Period) {
    const { from, to } = wanted
    latest.current = wanted
    try {
      const messages = await findDay(from)
      if (latest.current !== wanted) return
      const next = messages.find(each => toCompanyDay(each.createdAt) >= from)
      const nearest = next ?? messages.at(-1)
      const isThere = next !== undefined && toCompanyDay(next.createdAt) <= to
      if (nearest) onFound(nearest.id, isThere)
      setNote({ from, says: isThere ? '' : describeMiss(from, next?.createdAt, messages.length > (next ? 1 : 0)) })
    } catch (error) {
      if (latest.current === wanted) setNote({ from, says: describeError(error) })
    }
  }
  function describeMiss(from: string, next: string | undefined, hasBefore: boolean): string {
    const day = reformatIsoDay(from)
    if (next === undefined) return t('find.nothingAfter', { day })
    return t(hasBefore ? 'find.nextDay' : 'find.nothingBefore', { day, next: formatDate(next) })
  }
  return { period, goTo, note: note && note.from === period?.from ? note.says : '' }
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
export function DayPicker({ day, onPick }: { readonly day: string; readonly onPick: (day: string) => void }) {
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
        value={day}
        max={toCompanyDay(new Date())}
        onChange={({ target }) => target.value && onPick(target.value)}
      />
    </>
  )
}
