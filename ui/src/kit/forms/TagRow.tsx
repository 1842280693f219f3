// The tags of a contact: taken off with their cross, added from a list that also makes new ones.

import type { Contact, Tag } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/kit/limits'
import { findByName } from '@balcao/contract/kit/name-match'
import { api } from '@balcao/ui/api'
import { reportErrors, showErrorToast, useEarlyEnter, useTags } from '@balcao/ui/ask'
import { makeId } from '@balcao/ui/browser'
import { Checkbox, Portal, SearchInput, toSafeColor, useOverlay, usePlacing } from '@balcao/ui/parts'
import { Plus, X } from 'lucide-react'
import { type CSSProperties, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { isComposing } from '../../actions/composing.ts'
import { useFormTexts } from './texts.ts'

interface TagRowProps extends Pick<TagChoiceProps, 'tags'> {
  readonly contactId: number
  readonly onSaved: (contact: Contact) => void
}

/** Each change is saved at once, one after the other: who ticks two in a row has both. */
export function TagRow({ contactId, tags, onSaved }: TagRowProps) {
  const [chosen, choose] = useState<{ readonly of: number; readonly tags: readonly Tag[] } | null>(null)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  function keep(next: readonly Tag[]) {
    const own = { of: contactId, tags: next }
    choose(own)
    const save = async () => {
      const tagIds = next.map(tag => tag.id)
      onSaved(await api('PUT /contacts/:id', { params: { id: contactId }, body: { tagIds } }))
    }
    last.current = last.current.then(() => reportErrors(save)).then(() => choose(now => (now === own ? null : now)))
  }
  return <TagChoice tags={chosen?.of === contactId ? chosen.tags : tags} onChange={keep} />
}

interface TagChoiceProps {
  readonly tags: readonly Tag[]
  readonly onChange: (tags: readonly Tag[]) => void
}

export function TagChoice({ tags, onChange }: TagChoiceProps) {
  const t = useFormTexts()
  const anchor = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  return (
    <div className="h-tags">
      {tags.map(tag => (
        <span
          key={tag.id}
          className="b-chip has-color h-tag"
          style={{ '--b-chip': toSafeColor(tag.color) } as CSSProperties}
        >
          <span className="b-dot" />
          <span className="b-chip-word">{tag.name}</span>
          <button
            type="button"
            aria-label={t('tags.off', { name: tag.name })}
            onClick={() => onChange(tags.filter(({ id }) => id !== tag.id))}
          >
            <X size={12} strokeWidth={2} aria-hidden="true" />
          </button>
        </span>
      ))}
      <button
        ref={anchor}
        type="button"
        className="h-tag-add"
        aria-label={t('tags.add')}
        title={t('tags.add')}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Plus size={14} strokeWidth={2} aria-hidden="true" />
      </button>
      {open && <Picker anchor={anchor} chosen={tags} onChange={onChange} onClose={() => setOpen(false)} />}
    </div>
  )
}

interface PickerProps {
  readonly anchor: RefObject<HTMLElement | null>
  readonly chosen: readonly Tag[]
  readonly onChange: (tags: readonly Tag[]) => void
  readonly onClose: () => void
}

/** Colours for tags made here, in the order of the charts (look §2); on the page of tags any other can be given. */
const COLORS = ['#2C53A4', '#1F8FB5', '#D0702F', '#7C5CC9', '#2E9E6B', '#8F8A7F'] as const

function Picker({ anchor, chosen, onChange, onClose }: PickerProps) {
  const t = useFormTexts()
  const panel = useRef<HTMLDivElement>(null)
  const place = usePlacing(anchor, panel, { align: 'start', gap: 6 })
  useOverlay(panel, { onClose, outside: anchor, trap: true })
  const { last } = useTags(showErrorToast)
  const [made, setMade] = useState<readonly Tag[]>([])
  const making = useRef<Promise<unknown>>(Promise.resolve())
  /** What is chosen also while a tag is being made. */
  const latest = useRef(chosen)
  // Before anything else happens: later, it would put back what was there before a tag that was made meanwhile.
  useLayoutEffect(() => {
    latest.current = chosen
  }, [chosen])
  const all = [...(last ?? []), ...made]
  const [search, setSearch] = useState('')

  const name = search.trim()
  const [least, most] = LIMITS.tagName
  const same = all.find(tag => tag.name.toLowerCase() === name.toLowerCase())
  const makes = last !== null && name.length >= least && name.length <= most && !same
  const early = useEarlyEnter(last !== null, () => {
    if (makes) return make()
    if (!same) return
    if (!chosen.some(({ id }) => id === same.id)) keep([...chosen, same])
    setSearch('')
  })

  function keep(next: readonly Tag[]) {
    latest.current = next
    onChange(next)
  }
  /** One after the other: the field is free for the next one at once. */
  function make() {
    const clientId = makeId()
    const color = COLORS[all.length % COLORS.length] ?? COLORS[0]
    setSearch('')
    making.current = making.current.then(() =>
      reportErrors(async () => {
        try {
          const tag = await api('POST /tag', { body: { name, color, clientId } })
          setMade(before => [...before, tag])
          keep([...latest.current, tag])
        } catch (error) {
          setSearch(now => now || name)
          throw error
        }
      }),
    )
  }

  return (
    <Portal>
      <div ref={panel} role="dialog" aria-label={t('tags.add')} tabIndex={-1} className="b-menu h-picker" style={place}>
        <SearchInput
          label={t('tags.search')}
          value={search}
          maxLength={most}
          onChange={text => {
            early.drop()
            setSearch(text)
          }}
          onKeyDown={event => {
            if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
            event.preventDefault()
            early.press()
          }}
        />
        <ul>
          {findByName(all, search, tag => tag.name).map(tag => (
            <li key={tag.id}>
              <Checkbox
                checked={chosen.some(({ id }) => id === tag.id)}
                onChange={on => keep(on ? [...chosen, tag] : chosen.filter(({ id }) => id !== tag.id))}
              >
                <span className="h-option">
                  <span className="b-dot" style={{ background: toSafeColor(tag.color) }} />
                  {tag.name}
                </span>
              </Checkbox>
            </li>
          ))}
        </ul>
        {makes && (
          <button type="button" className="h-make" onClick={make}>
            <Plus size={16} strokeWidth={1.8} aria-hidden="true" />
            {t('tags.make', { name })}
          </button>
        )}
      </div>
    </Portal>
  )
}
