import type { MassSend } from '@balcao/contract'
import { formatNumber, useTexts } from '@balcao/ui/i18n'
import { joinClasses } from '@balcao/ui/parts'
import { describeSendState, type SendTone } from './words.ts'

const BARS: Readonly<Record<SendTone, string>> = {
  going: 'bg-primary',
  ok: 'bg-ok',
  waiting: 'bg-brass',
  danger: 'bg-danger',
  quiet: 'bg-line-strong',
}

const WORDS: Readonly<Record<SendTone, string>> = {
  going: 'text-text-2',
  ok: 'text-ok',
  waiting: 'text-brass-text font-semibold',
  danger: 'text-danger font-semibold',
  quiet: 'text-text-2',
}

/** How far a send is: so many of so many, a bar, and how it stands in words. */
export function Progress({ send, now }: { readonly send: MassSend; readonly now: Date }) {
  const t = useTexts('sends')
  const { tone, text } = describeSendState(send, t, now)
  const { enviados, total } = send
  return (
    <span className="grid gap-1">
      <span>
        <b className="font-semibold text-ink tabular-nums">{formatNumber(enviados)}</b>{' '}
        {total === 0 && send.state === 'calculating' ? t('calculating') : t('of', { count: total })}
      </span>
      <span className="block h-1.5 w-full max-w-44 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <span
          className={joinClasses('block h-full rounded-full', BARS[tone])}
          style={{ width: `${total === 0 ? 0 : Math.min(100, (enviados / total) * 100)}%` }}
        />
      </span>
      <span className={joinClasses('text-small', WORDS[tone])}>{text}</span>
    </span>
  )
}
