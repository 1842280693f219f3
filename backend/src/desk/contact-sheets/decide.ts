// What becomes of one contact of a sheet: added, changed, left as it is, or refused. Pure: a look and an import decide the same.
import { NEW_TAGS, phoneVariants, type SheetProblem } from '@balcao/contract'
import { nameFinder } from '@balcao/formats/sheets/columns'
import { type Redirect, type Team, teamFinder, withOthers } from './delegations.ts'
import type { Known } from './known.ts'
import { type Fault, nameFault, type Wanted } from './people.ts'

/** Where contacts come from: what a phone calls somebody is never put over what the team does. */
export type Source = 'sheet' | 'delegation' | 'phone'

/** What is written of a contact; null: it stays as it is. */
export interface Change {
  readonly name: string | null
  readonly number: string | null
  readonly email: string | null
  readonly answers: boolean | null
  /** Tags it does not have yet. */
  readonly tags: readonly string[]
  /** All its redirects. */
  readonly redirect: readonly Redirect[] | null
}

export type Decision =
  | { readonly fate: 'created'; readonly wanted: Wanted; readonly change: Change }
  | { readonly fate: 'updated'; readonly wanted: Wanted; readonly change: Change; readonly known: Known }
  | { readonly fate: 'skipped'; readonly wanted: Wanted }
  | { readonly fate: 'failed'; readonly wanted: Wanted; readonly faults: readonly Fault[] }

/** What is looked up by name. */
export interface World extends Team {
  readonly tags: readonly { readonly id: number; readonly name: string }[]
}

/** Decides one after the other: what tags there are grows with it. */
export function decider(source: Source, world: World, hashOf: (email: string) => string) {
  const redirectsOf = teamFinder(world, hashOf)
  const tagNamed = nameFinder(world.tags)
  const fresh = new Map<string, string>()

  /** A tag there is, or one that will be made; null: the sheet makes too many. */
  function tagOf(name: string): string | null {
    const known = tagNamed(name)
    if (known) return known.name
    const key = name.toLowerCase()
    if (!fresh.has(key) && fresh.size >= NEW_TAGS) return null
    const first = fresh.get(key) ?? name
    fresh.set(key, first)
    return first
  }

  function decide(wanted: Wanted, known: Known | null): Decision {
    const faults = wanted.faults.filter(({ isForNew }) => !(isForNew && known))
    const fault = (field: string, code: SheetProblem) => faults.push({ row: wanted.rows[0]?.row ?? 0, field, code })
    const name = newName(source, wanted, known)
    const wrongName = source === 'phone' || wanted.isNameless || name === null ? null : nameFault(name)
    if (wrongName && wanted.number !== '') fault('nome', wrongName)
    const { redirect, faults: unknown } =
      wanted.delegated === null ? { redirect: null, faults: [] } : redirectsOf(wanted.delegated, known?.redirect ?? [])
    faults.push(...unknown)
    if (faults.length > 0) return { fate: 'failed', wanted, faults: withOthers(faults.filter(isOwn), wanted.rows) }
    const tags = wanted.tags.map(tagOf)
    if (tags.includes(null)) {
      fault('tags', 'tagsMost')
      return { fate: 'failed', wanted, faults }
    }
    const has = new Set(known?.tags)
    const missing = tags.flatMap(tag => (tag === null || has.has(tag.toLowerCase()) ? [] : tag))
    const change: Change = {
      name,
      number: newNumber(wanted, known),
      email: wanted.email === '' || wanted.email === known?.email ? null : wanted.email,
      answers: wanted.answers === known?.answers ? null : wanted.answers,
      tags: missing,
      redirect: redirect && isSame(redirect, known?.redirect ?? []) ? null : redirect,
    }
    if (!known) return { fate: 'created', wanted, change }
    if (known.isHidden && (change.redirect !== null || change.answers !== null)) {
      fault('numero', 'ticketHidden')
      return { fate: 'failed', wanted, faults: withOthers(faults, wanted.rows) }
    }
    const { tags: added, ...fields } = change
    const isChanged = added.length > 0 || Object.values(fields).some(value => value !== null)
    return isChanged ? { fate: 'updated', wanted, change, known } : { fate: 'skipped', wanted }
  }

  return (wanted: Wanted, known: Known | null): Decision => {
    const decision = decide(wanted, known)
    return wanted.isRepeated && decision.fate !== 'failed' ? { fate: 'skipped', wanted } : decision
  }
}

/** A contact as it is after a change. */
export function applyChange(known: Known, { name, number, email, answers, tags, redirect }: Change): Known {
  return {
    ...known,
    ...(name !== null && { name, nameSource: 'manual' as const }),
    ...{ number: number ?? known.number, email: email ?? known.email, answers: answers ?? known.answers },
    ...{ tags: [...known.tags, ...tags.map(tag => tag.toLowerCase())], redirect: redirect ?? known.redirect },
  }
}

/** `otherRow` is said anew, of all that is wrong. */
function isOwn({ code }: Fault): boolean {
  return code !== 'otherRow'
}

/** The name it gets; null: it keeps the one it has. */
function newName(source: Source, { name }: Wanted, known: Known | null): string | null {
  if (!known) return name
  if (name === '' || name === known.name || source === 'delegation') return null
  return source === 'phone' && known.nameSource === 'manual' ? null : name
}

/** Found by a number without the country's code, with or without the ninth digit, or shown with none: then it gets the whole one. */
function newNumber({ number }: Wanted, known: Known | null): string | null {
  if (!known || known.number === null) return number
  const typed = known.number.replace(/^0/, '')
  return phoneVariants(number).some(whole => whole !== typed && whole.endsWith(typed)) ? number : null
}

function isSame(ones: readonly Redirect[], others: readonly Redirect[]): boolean {
  const key = (list: readonly Redirect[]) =>
    list
      .map(({ queueId, userId }) => `${queueId} ${userId}`)
      .sort()
      .join()
  return key(ones) === key(others)
}
