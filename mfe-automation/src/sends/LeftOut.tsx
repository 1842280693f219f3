import type { ExcludedRecipient as Left, RequestBody, SendPreview } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { api } from '@balcao/ui/api'
import { formatNumber, useTexts } from '@balcao/ui/i18n'
import { Avatar, Button, Dialog, RowSkeletons, Select } from '@balcao/ui/parts'
import { type LiveRowOptions, MoreRows, type RowQuery, RowsFailed, useRows } from '@balcao/ui/screens'
import { useState } from 'react'
import { describeReason } from './words.ts'

type Body = RequestBody<'POST /envioMassa/preview'>
type Row = Left & { readonly id: number; readonly version: number }
interface Query extends RowQuery {
  readonly reason: string | null
}

interface LeftOutProps {
  /** The send as its form stands. */
  readonly body: Body
  readonly excluded: SendPreview['excluded']
  readonly onClose: () => void
}

const PAGE = 40

/** Who would get nothing, each with the reason, before anything goes out (decisions-2 §15). */
export function LeftOut({ body, excluded, onClose }: LeftOutProps) {
  const t = useTexts('sends')
  const [options] = useState(() => makeExcludedOptions(body))
  const { rows, status, nextCursor, more, goOn, reload, filter, filters } = useRows(options)
  const count = excluded.reduce((sum, one) => sum + one.count, 0)
  return (
    <Dialog
      title={t('out.title', { count })}
      intro={t('out.intro')}
      width={560}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          {t('out.close')}
        </Button>
      }
    >
      {excluded.length > 1 && (
        <Select
          label={t('out.reason')}
          options={[
            { value: '', label: t('out.all', { count: formatNumber(count) }) },
            ...excluded.map(one => ({
              value: one.reason,
              label: `${describeReason(one.reason, t)} · ${formatNumber(one.count)}`,
            })),
          ]}
          value={filters.reason ?? ''}
          onChange={reason => filter({ reason: reason || null })}
        />
      )}
      {status === 'loading' && rows.length === 0 && <RowSkeletons />}
      {status === 'failed' && rows.length === 0 && (
        <RowsFailed text={t('detail.recipientsFailed')} className="py-3" onRetry={reload} />
      )}
      <ul className="mt-2 mb-0 list-none p-0" aria-label={t('out.list')}>
        {rows.map(({ contact, reason }) => {
          const name = contact.name || (contact.number ? formatPhone(contact.number) : t('noName'))
          return (
            <li key={contact.id} className="flex min-h-11 items-center gap-2.5 border-b border-line py-1 text-cell">
              <Avatar id={contact.id} name={name} photo={contact.profilePicUrl} size={28} />
              <bdi className="min-w-0 flex-1 truncate font-semibold text-ink" title={name}>
                {name}
              </bdi>
              <span className="text-right text-text-2">{describeReason(reason, t)}</span>
            </li>
          )
        })}
      </ul>
      {nextCursor !== null && rows.length > 0 && <MoreRows state={more} onMore={goOn} />}
    </Dialog>
  )
}

function makeExcludedOptions(body: Body): LiveRowOptions<Row, Query> {
  return {
    start: { search: '', reason: null },
    order: (one, other) => one.id - other.id,
    matches: () => true,
    async page({ reason }, cursor, signal) {
      const query = { reason: reason ?? undefined, cursor: cursor ?? undefined, limit: PAGE }
      const { contacts, nextCursor, count } = await api('POST /envioMassa/preview/excluded', { body, query, signal })
      return { rows: contacts.map(one => ({ ...one, id: one.contact.id, version: 0 })), nextCursor, count }
    },
    events: () => () => undefined,
  }
}
