// What becomes of one contact of a sheet: added, changed, left as it is, or refused. Pure: a look and an import decide the same.
import { listPhoneVariants, NEW_TAGS, type SheetProblem } from '@balcao/contract'
import { createNameFinder } from '@balcao/formats/sheets/columns'
import { type ContactEntry, findNameFault, type RowFault } from './contact-rows.ts'
import { addSkippedRows, createTeamFinder, type Redirect, type TeamDirectory } from './delegations.ts'
import type { ContactMatch, KnownContact } from './known.ts'

/** Where contacts come from: what a phone calls somebody is never put over what the team does. */
export type ImportSource = 'sheet' | 'delegation' | 'phone'

/** What is written of a contact; null: it stays as it is. */
export interface ContactChange {
  readonly name: string | null
  readonly number: string | null
  /** What it is found by from now on, besides. */
  readonly otherNumbers: readonly string[]
  readonly email: string | null
  readonly answers: boolean | null
  /** Tags it does not have yet. */
  readonly tags: readonly string[]
  /** All its redirects. */
  readonly redirect: readonly Redirect[] | null
}

export type ImportDecision =
  | { readonly fate: 'created'; readonly wanted: ContactEntry; readonly change: ContactChange }
  | {
      readonly fate: 'updated'
      readonly wanted: ContactEntry
      readonly change: ContactChange
      readonly known: KnownContact
    }
  | { readonly fate: 'skipped'; readonly wanted: ContactEntry }
  | { readonly fate: 'failed'; readonly wanted: ContactEntry; readonly faults: readonly RowFault[] }

/** What is looked up by name. */
export interface ImportDirectory extends TeamDirectory {
  readonly tags: readonly { readonly id: number; readonly name: string }[]
}

/** Decides one after the other: what tags there are grows with it. */
export function createDecider(source: ImportSource, world: ImportDirectory, hashOf: (email: string) => string) {
  const redirectsOf = createTeamFinder(world, hashOf)
  const tagNamed = createNameFinder(world.tags)
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

  function decide(wanted: ContactEntry, { known, freeNumbers }: ContactMatch): ImportDecision {
    const faults = wanted.faults.filter(({ isForNew }) => !(isForNew && known))
    const fault = (field: string, code: SheetProblem) => faults.push({ row: wanted.rows[0]?.row ?? 0, field, code })
    const name = newName(source, wanted, known)
    const wrongName = source === 'phone' || wanted.isNameless || name === null ? null : findNameFault(name)
    if (wrongName && wanted.number !== '') fault('nome', wrongName)
    const { redirect, faults: unknown } =
      wanted.delegated === null ? { redirect: null, faults: [] } : redirectsOf(wanted.delegated, known?.redirect ?? [])
    faults.push(...unknown)
    if (faults.length > 0) return { fate: 'failed', wanted, faults: addSkippedRows(faults.filter(isOwn), wanted.rows) }
    const tags = wanted.tags.map(tagOf)
    if (tags.includes(null)) {
      fault('tags', 'tagsMost')
      return { fate: 'failed', wanted, faults }
    }
    const has = new Set(known?.tags)
    const missing = tags.flatMap(tag => (tag === null || has.has(tag.toLowerCase()) ? [] : tag))
    const number = newNumber(wanted, known)
    const change: ContactChange = {
      name,
      number,
      otherNumbers: wanted.otherNumbers.length > 0 ? freeNumbers.filter(one => one !== number) : [],
      email: wanted.email === '' || wanted.email === known?.email ? null : wanted.email,
      answers: wanted.answers === known?.answers ? null : wanted.answers,
      tags: missing,
      redirect: redirect && isSame(redirect, known?.redirect ?? []) ? null : redirect,
    }
    if (!known) return { fate: 'created', wanted, change }
    if (known.isHidden && steersTickets(change)) {
      fault('numero', 'ticketHidden')
      return { fate: 'failed', wanted, faults: addSkippedRows(faults, wanted.rows) }
    }
    const { tags: added, otherNumbers, ...fields } = change
    const isChanged = added.length + otherNumbers.length > 0 || Object.values(fields).some(value => value !== null)
    return isChanged ? { fate: 'updated', wanted, change, known } : { fate: 'skipped', wanted }
  }

  return (wanted: ContactEntry, match: ContactMatch): ImportDecision => {
    const decision = decide(wanted, match)
    return wanted.isRepeated && decision.fate !== 'failed' ? { fate: 'skipped', wanted } : decision
  }
}

/** A contact as it is after a change. */
export function applyChange(
  known: KnownContact,
  { name, number, email, answers, tags, redirect }: ContactChange,
): KnownContact {
  return {
    ...known,
    ...(name !== null && { name, nameSource: 'manual' as const }),
    ...{ number: number ?? known.number, email: email ?? known.email, answers: answers ?? known.answers },
    ...{ tags: [...known.tags, ...tags.map(tag => tag.toLowerCase())], redirect: redirect ?? known.redirect },
  }
}

/** Whether it changes what the form refuses of a contact in a ticket one does not see: where its tickets go, and by what it is found. */
function steersTickets({ number, otherNumbers, answers, redirect }: ContactChange): boolean {
  return number !== null || otherNumbers.length > 0 || answers !== null || redirect !== null
}

/** `otherRow` is said anew, of all that is wrong. */
function isOwn({ code }: RowFault): boolean {
  return code !== 'otherRow'
}

/** The name it gets; null: it keeps the one it has. */
function newName(source: ImportSource, { name }: ContactEntry, known: KnownContact | null): string | null {
  if (!known) return name
  if (name === '' || name === known.name || source === 'delegation') return null
  return source === 'phone' && known.nameSource === 'manual' ? null : name
}

/** Found by a number without the country's code, with or without the ninth digit, or shown with none: then it gets the whole one. */
function newNumber({ number }: ContactEntry, known: KnownContact | null): string | null {
  if (!known || known.number === null) return number
  const typed = known.number.replace(/^0/, '')
  return listPhoneVariants(number).some(whole => whole !== typed && whole.endsWith(typed)) ? number : null
}

function isSame(ones: readonly Redirect[], others: readonly Redirect[]): boolean {
  const key = (list: readonly Redirect[]) =>
    list
      .map(({ queueId, userId }) => `${queueId} ${userId}`)
      .sort()
      .join()
  return key(ones) === key(others)
}
