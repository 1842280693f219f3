import type { MassSendDetail, RecipientState, SendRecipient } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { api } from '@balcao/ui/api'
import { formatNumber, formatTime, getLanguage, useTexts } from '@balcao/ui/i18n'
import { Avatar, Icon, joinClasses, RowSkeletons, Tabs, Ticks } from '@balcao/ui/parts'
import { ExportButton, type LiveRowOptions, MoreRows, type RowQuery, RowsFailed, useRows } from '@balcao/ui/screens'
import { useUser } from '@balcao/ui/session'
import { CircleSlash, Hourglass } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { describeReason } from './words.ts'

type Row = SendRecipient & { readonly version: number }
interface Query extends RowQuery {
  readonly state: RecipientState | null
}

const SHOWN = [null, 'read', 'failed', 'waiting', 'cancelled', 'excluded'] as const
const PAGE = 40

interface SendRecipientsProps {
  readonly id: number
  readonly counts: MassSendDetail['counts']
  /** Of the send: another one, and they may stand otherwise. */
  readonly version: number
}

/** Whom a send is for, by what became of each, with the ticks of the messages; page by page. */
export function SendRecipients({ id, counts, version }: SendRecipientsProps) {
  const t = useTexts('sends')
  const [options] = useState(() => makeRecipientOptions(id))
  const maySheet = useUser().profile !== 'user'
  const { rows, status, nextCursor, more, goOn, look, reload, filter, filters } = useRows(options)
  // Who reads on further down is not thrown back to the first page: the ticks come with the next look.
  const refresh = useEffectEvent(() => rows.length <= PAGE && look())
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew when the send changed
  useEffect(() => void refresh(), [version])
  const { optedOut: _, ...states } = counts
  const all = Object.values(states).reduce((sum, count) => sum + count, 0)
  // Of those two there is one at a time.
  const left = counts.cancelled > 0 ? 'waiting' : 'cancelled'
  const tabs = SHOWN.filter(state => state !== left).map(state => ({
    id: state ?? 'all',
    label: t(`tabs.${state ?? 'all'}`),
    badge: formatNumber(state === null ? all : counts[state]),
  }))
  return (
    <section aria-label={t('detail.recipients')} className="min-w-0">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
        <h3 className="m-0 text-card font-semibold">{t('detail.recipients')}</h3>
        {maySheet && (
          <ExportButton
            label={t('detail.sheet')}
            begin={() =>
              api('POST /envioMassa/:id/recipients/export', { params: { id }, body: { language: getLanguage() } })
            }
          />
        )}
      </div>
      <Tabs
        label={t('detail.recipients')}
        tabs={tabs}
        chosen={filters.state ?? 'all'}
        onChoose={tab => filter({ state: SHOWN.find(state => state === tab) ?? null })}
        className="overflow-x-auto"
      />
      {status === 'loading' && rows.length === 0 && <RowSkeletons />}
      {status === 'failed' && rows.length === 0 && (
        <RowsFailed text={t('detail.recipientsFailed')} className="py-3" onRetry={reload} />
      )}
      {status === 'ready' && rows.length === 0 && <p className="m-0 py-3 text-cell text-muted">{t('detail.nobody')}</p>}
      <ul className="m-0 list-none p-0">
        {rows.map(row => (
          <Recipient key={row.id} row={row} />
        ))}
      </ul>
      {nextCursor !== null && rows.length > 0 && <MoreRows state={more} onMore={goOn} />}
    </section>
  )
}

function Recipient({ row }: { readonly row: Row }) {
  const { contact, state, reason, at } = row
  const t = useTexts('sends')
  const name = contact.name || (contact.number ? formatPhone(contact.number) : t('noName'))
  const isOut = state === 'excluded' || state === 'cancelled'
  const text = (isOut || state === 'failed') && reason ? describeReason(reason, t) : t(`recipient.${state}`)
  return (
    <li className="flex min-h-11 items-center gap-2.5 border-b border-line py-1 text-cell">
      <Avatar id={contact.id} name={name} photo={contact.profilePicUrl} size={28} />
      {/* A long reason goes under the name rather than shorten it. */}
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5">
        <bdi className="min-w-0 flex-1 basis-32 truncate font-semibold text-ink" title={name}>
          {name}
        </bdi>
        <span className={joinClasses('flex items-center gap-1.5', state === 'failed' ? 'text-danger' : 'text-text-2')}>
          {isOut && <Icon of={CircleSlash} size={14} />}
          {state === 'waiting' && <Icon of={Hourglass} size={14} />}
          {!isOut && state !== 'waiting' && <Ticks state={state} bare />}
          {text}
        </span>
      </span>
      {state !== 'waiting' && (
        <time className="w-10 flex-none text-right text-muted tabular-nums">{formatTime(at)}</time>
      )}
    </li>
  )
}

function makeRecipientOptions(id: number): LiveRowOptions<Row, Query> {
  return {
    start: { search: '', state: null },
    // They come in the order of the server and no event tells of one by itself.
    order: () => 0,
    matches: () => true,
    async page({ state }, cursor, signal) {
      const query = { state: state ?? undefined, cursor: cursor ?? undefined, limit: PAGE }
      const { recipients, nextCursor, count } = await api('GET /envioMassa/:id/recipients', {
        ...{ params: { id }, query, signal },
      })
      return { rows: recipients.map(row => ({ ...row, version: 0 })), nextCursor, count }
    },
    events: () => () => undefined,
  }
}
