import type { TagRow } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { addTexts, formatNumber, getTexts } from '@balcao/ui/i18n'
import { combineStops, createThrottle, live } from '@balcao/ui/live'
import { Chip, toSafeColor } from '@balcao/ui/parts'
import { type Column, DataPage, useHistory, useRows } from '@balcao/ui/screens'
import { useUser } from '@balcao/ui/session'
import { Tag } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import pt from '../../locales/tags/pt.json'
import { TAGS } from './list.ts'
import { TagForm } from './TagForm.tsx'

addTexts('tags', {
  pt,
  en: () => import('../../locales/tags/en.json'),
  es: () => import('../../locales/tags/es.json'),
})

/** What is told of contacts gathers before the figures are asked for anew. */
const LOOK_MS = 5000

/** The page of tags (spec 3 §2): search, add, edit, delete; live. */
export default function TagsPage() {
  const rows = useRows(TAGS)
  useFigures(rows.look)
  const history = useHistory('tag')
  const isAdmin = useUser().profile === 'admin'
  const most = Math.max(1, ...rows.rows.map(({ contactsCount }) => contactsCount))
  const columns = useMemo(() => makeColumns(most), [most])
  return (
    <DataPage
      texts="tags"
      icon={Tag}
      rows={rows}
      columns={columns}
      nameOf={({ name }) => name}
      actions={isAdmin ? history : []}
      cardOf={({ name, color, contactsCount }) => ({
        title: <Chip color={color}>{name}</Chip>,
        text: getTexts('tags')('contacts', { count: contactsCount }),
      })}
      form={TagForm}
      remove={{ call: id => api('DELETE /tag/:id', { params: { id } }), already: 'ERR_NO_TAG_FOUND' }}
    />
  )
}

/** No event of a tag tells that contacts have it now, or no more. */
function useFigures(reload: () => void) {
  useEffect(() => {
    const { ask, stop } = createThrottle(reload, LOOK_MS)
    return combineStops(live.on('contact', ask), stop)
  }, [reload])
}

/** The bars are parts of the longest one. */
function makeColumns(most: number): readonly Column<TagRow>[] {
  return [
    { id: 'name', width: 'w-[36%]', cell: ({ name, color }) => <Chip color={color}>{name}</Chip> },
    {
      id: 'color',
      width: 'w-36',
      cell: ({ color }) => (
        <span className="flex items-center gap-2">
          <span className="size-4 flex-none rounded-tag" style={{ background: toSafeColor(color) }} />
          {color}
        </span>
      ),
    },
    {
      id: 'contacts',
      cell: ({ contactsCount }) => (
        <span className="flex items-center gap-3">
          <b className="w-14 flex-none text-right font-semibold text-ink tabular-nums">{formatNumber(contactsCount)}</b>
          <span className="h-1.5 w-28 rounded-full bg-line" aria-hidden="true">
            <span
              className="block h-full rounded-full bg-primary"
              style={{ width: `${Math.ceil((contactsCount / most) * 100)}%` }}
            />
          </span>
        </span>
      ),
    },
  ]
}
