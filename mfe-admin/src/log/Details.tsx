import type { FieldChange } from '@balcao/contract'
import { usePeople } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { ArrowRight } from 'lucide-react'
import type { LogListRow } from './list.ts'
import { describeField, describeFieldValue, isPersonField } from './words.ts'

/** What an entry says besides its sentence: fields before and after, or what it was done with. */
export function Details({ entry }: { readonly entry: LogListRow }) {
  const t = useTexts('log-page')
  const { changes, others } = toEntryDetails(entry)
  const { action } = entry
  const nameOf = (field: string) => describeField(action, field)
  const namesSomebody = [...changes.map(({ field }) => field), ...others.map(([field]) => field)].some(field =>
    isPersonField(action, field),
  )
  const { last: people } = usePeople(undefined, namesSomebody)
  const describe = (field: string, value: unknown) => describeFieldValue(action, field, value, people ?? [])
  return (
    <dl className="m-0 inline-grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-field border border-line bg-surface px-3 py-2 text-cell">
      {changes.map(({ field, from, to }) => (
        <div key={field} className="contents">
          <dt className="text-text-2">{nameOf(field)}</dt>
          <dd className="m-0 min-w-0 break-words">
            {from === undefined && to === undefined ? (
              t('changed')
            ) : (
              <>
                <s className="text-muted">{describe(field, from)}</s>
                <ArrowRight size={14} aria-hidden="true" className="mx-1.5 inline align-middle" />
                <b className="font-semibold">{describe(field, to)}</b>
              </>
            )}
          </dd>
        </div>
      ))}
      {others.map(([field, value]) => (
        <div key={field} className="contents">
          <dt className="text-text-2">{nameOf(field)}</dt>
          <dd className="m-0 min-w-0 break-words">{describe(field, value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Whether there is anything to unfold. */
export function hasDetails(entry: LogListRow): boolean {
  const { changes, others } = toEntryDetails(entry)
  return changes.length + others.length > 0
}

function toEntryDetails({ action, params }: LogListRow): {
  changes: readonly FieldChange[]
  others: [string, unknown][]
} {
  const { changes, key, from, value, ...others } = params ?? {}
  if (action === 'setting.update' && value !== undefined)
    return { changes: [{ field: String(key), from, to: value }], others: [] }
  return { changes: Array.isArray(changes) ? changes.filter(isChange) : [], others: Object.entries(others) }
}

function isChange(change: unknown): change is FieldChange {
  return typeof change === 'object' && change !== null && 'field' in change && typeof change.field === 'string'
}
