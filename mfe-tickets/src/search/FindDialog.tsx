// Finding messages in one conversation, in a window that can be moved out of the way; a hit is shown in its place and blinks.

import { reformatIsoDay } from '@balcao/contract/calendar/zoned-time'
import { LIMITS } from '@balcao/contract/kit/limits'
import { excerptLine, parseSearchWords } from '@balcao/contract/kit/search'
import { toPlainText } from '@balcao/contract/messages/whatsapp-text'
import { isComposing } from '@balcao/ui/actions'
import { useEarlyEnter, useQuery } from '@balcao/ui/ask'
import { describeError, formatListTime, useTexts } from '@balcao/ui/i18n'
import { IconButton, joinClasses, Portal, SearchInput, useOverlay } from '@balcao/ui/parts'
import { Move, X } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { view } from '../desk/view.ts'
import { useMinute } from '../use-minute.ts'
import { DayButton, DayPicker, type FindDay, useDayJump } from './DayJump.tsx'
import { Marked } from './Marked.tsx'
import './texts.ts'
import { useDrag } from './use-drag.ts'

export interface MessageMatch {
  readonly id: number
  readonly name: string
  readonly text: string
  readonly at: string
}

interface FindDialogProps {
  /** A ticket's id, or the negative of a chat's. */
  readonly lane: number
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly MessageMatch[]>
  /** Where one can go to a day. */
  readonly findDay?: FindDay
  /** It only goes to a day: the one that it begins with, or '' for none. */
  readonly day?: string | undefined
}

const NO_DAY: FindDay = async () => []

export function FindDialog({ lane, find, findDay, day }: FindDialogProps) {
  const t = useTexts('tickets')
  const id = useId()
  const now = useMinute()
  const panel = useRef<HTMLDivElement>(null)
  const [text, setText] = useState(day ? reformatIsoDay(day) : '')
  const [shown, setShown] = useState<number | null>(null)
  const isForDay = day !== undefined
  const wanted = text.trim()
  const asked = useQuery(isForDay || wanted === '' ? null : wanted, signal => find(wanted, signal), {
    waitMs: LIMITS.searchDebounceMs,
  })
  const found = isForDay || wanted === '' ? null : asked.last
  const { place, moving, head, onKeyDown } = useDrag(panel, getDialogCorner)
  const close = () => {
    view.find = null
  }
  useOverlay(panel, { onClose: close })
  function jumpTo(id: number, focus = false) {
    setShown(id)
    view.jumpTo = { messageId: id, ticketId: lane, lane, at: Date.now(), focus }
  }
  function showDay(id: number, isThere: boolean) {
    const isDone = isForDay && isThere
    if (isDone) close()
    jumpTo(id, isDone)
  }
  const { period, goTo, note } = useDayJump({ text, findDay: findDay ?? NO_DAY, onFound: showDay })
  const periodToGo = findDay ? period : null
  const isKnown = isForDay || wanted === '' || asked.now !== null || asked.error !== null
  const early = useEarlyEnter(isKnown, () => showNext(1))
  function showNext(by: 1 | -1) {
    if (!found || found.length === 0) return
    const now = found.findIndex(each => each.id === shown)
    const finding = found[now === -1 ? 0 : (now + by + found.length) % found.length]
    if (finding) jumpTo(finding.id)
  }
  /** Enter goes to the day that is meant, shows the first that was found, then the next; with Shift the one before. */
  function step(event: KeyboardEvent) {
    if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    if (periodToGo && (isForDay || shown === null)) return void goTo(periodToGo)
    if (isKnown) showNext(event.shiftKey ? -1 : 1)
    else early.press()
  }
  function pickDay(next: string) {
    setText(reformatIsoDay(next))
    void goTo({ from: next, to: next })
  }
  const words = parseSearchWords(text)
  const none = isForDay ? wanted !== '' && !period : found !== null && found.length === 0 && !periodToGo
  return (
    <Portal>
      <div
        ref={panel}
        role="dialog"
        aria-labelledby={id}
        tabIndex={-1}
        className="f-find"
        // Never hidden: what is hidden cannot take the focus, and its place is known before it is painted.
        style={{ left: place?.left, top: place?.top }}
      >
        <div className={joinClasses('f-find-head', moving && 'is-moving')} {...head}>
          <h2 id={id}>{t(isForDay ? 'find.dayTitle' : 'find.title')}</h2>
          <IconButton icon={Move} label={t('find.move')} data-close="" onKeyDown={onKeyDown} onClick={() => {}} />
          <IconButton icon={X} label={t('find.close')} data-close="" onClick={close} />
        </div>
        <div className="f-find-field">
          <SearchInput
            data-autofocus=""
            label={t(isForDay ? 'find.dayLabel' : findDay ? 'find.labelOrDay' : 'find.label')}
            value={text}
            onChange={next => {
              setText(next)
              setShown(null)
              early.drop()
            }}
            onKeyDown={step}
            onFocus={({ target }) => isForDay && target.select()}
            maxLength={200}
          />
          {findDay && <DayPicker day={period?.from ?? ''} onPick={pickDay} />}
        </div>
        {periodToGo && <DayButton day={periodToGo.from} onGo={() => void goTo(periodToGo)} />}
        <p className={joinClasses('f-find-note', none && 'is-warning')} role="status">
          {asked.error
            ? describeError(asked.error)
            : note || none
              ? note || t(isForDay ? 'search.periodUnclear' : 'find.none')
              : found && found.length > 0
                ? formatHitCount(found.length, t)
                : ''}
        </p>
        {found && found.length > 0 && (
          <ul className="f-finds" aria-label={t('find.results')}>
            {found.map(each => (
              <li key={each.id}>
                <button
                  type="button"
                  className={each.id === shown ? 'is-shown' : undefined}
                  aria-current={each.id === shown || undefined}
                  onClick={() => jumpTo(each.id)}
                >
                  <span className="f-find-by">
                    <strong>{each.name}</strong>
                    <time dateTime={each.at}>{formatListTime(each.at, now)}</time>
                  </span>
                  <bdi className="f-find-line">
                    <Marked text={toPlainText(excerptLine(each.text, words))} words={words} />
                  </bdi>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Portal>
  )
}

function formatHitCount(count: number, t: ReturnType<typeof useTexts>): string {
  return t(count >= LIMITS.searchResults ? 'find.most' : 'find.count', { count })
}

/** Under the header at the right, where it covers the fewest messages. */
function getDialogCorner() {
  const box = document.querySelector('.c-conversation')?.getBoundingClientRect()
  return { left: (box?.right ?? window.innerWidth) - 376, top: (box?.top ?? 48) + 68 }
}
