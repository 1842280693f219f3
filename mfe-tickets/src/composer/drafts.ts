// What is half written stays with its ticket, on this device and for whoever wrote it; the list shows it once its composer is left.
import type { MemberMention } from '@balcao/contract/messages/member-mentions'
import { keepSessionState, toPersonalKey, WRITING_KEYS } from '@balcao/ui/session'

export interface Draft {
  readonly text: string
  /** Sending was tried, and held back because a colleague was answering too. */
  readonly held: boolean
}

/** The drafts nobody is at just now, by lane. */
export const drafts = keepSessionState<{ known: Record<number, Draft> }>(() => ({ known: {} }))

export function readDraft(lane: number): string {
  return localStorage.getItem(toDraftKey(lane)) ?? ''
}

export function keepDraft(lane: number, text: string) {
  if (text.trim() !== '') return localStorage.setItem(toDraftKey(lane), text)
  localStorage.removeItem(toDraftKey(lane))
  localStorage.removeItem(toHeldKey(lane))
  localStorage.removeItem(toMembersKey(lane))
}

const HELPER = 'user:'

/** A colleague whom a comment asks in, among the members of a group whom a message names. */
export function toHelperId(userId: number): string {
  return HELPER + userId
}

export function isHelper(id: string): boolean {
  return id.startsWith(HELPER)
}

export function parseHelper(id: string): number {
  return Number(id.slice(HELPER.length))
}

/** Who was chosen for what is half written: members of a group, and helpers; its names alone do not say whom they mean. */
export function readMembers(lane: number): MemberMention[] {
  const lines = localStorage.getItem(toMembersKey(lane))?.split('\n') ?? []
  return lines.flatMap(line => {
    const [id, name] = line.split('\t')
    return id && name ? [{ id, name }] : []
  })
}

export function keepMembers(lane: number, members: readonly MemberMention[]) {
  const lines = [...readMembers(lane), ...members].map(({ id, name }) => `${id}\t${name}`)
  localStorage.setItem(toMembersKey(lane), [...new Set(lines)].join('\n'))
}

export function isHeld(lane: number): boolean {
  return localStorage.getItem(toHeldKey(lane)) !== null
}

/** What was held back from going out stays visible as such, also when its writer has gone elsewhere. */
export function keepHeld(lane: number) {
  if (readDraft(lane) !== '') localStorage.setItem(toHeldKey(lane), 'yes')
}

/** Somebody writes there again: until they leave the list shows what was said last. */
export function enterDraft(lane: number) {
  delete drafts.known[lane]
}

export function leaveDraft(lane: number) {
  const text = readDraft(lane)
  if (text === '') delete drafts.known[lane]
  else drafts.known[lane] = { text, held: isHeld(lane) }
}

/** What was left when the page was here last. */
export function findDrafts() {
  const prefix = `${toPersonalKey(WRITING_KEYS.draft)}.`
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) leaveDraft(Number(key.slice(prefix.length)))
}

function toDraftKey(lane: number) {
  return `${toPersonalKey(WRITING_KEYS.draft)}.${lane}`
}

function toMembersKey(lane: number) {
  return `${toPersonalKey(WRITING_KEYS.members)}.${lane}`
}

function toHeldKey(lane: number) {
  return `${toPersonalKey(WRITING_KEYS.held)}.${lane}`
}

const SIGN = 'balcao.sign'

/** Signing messages with the attendant's name is on by default and stored locally (spec 1 §5). */
export function isSigning(): boolean {
  return localStorage.getItem(toPersonalKey(SIGN)) !== 'off'
}

export function keepSigning(on: boolean) {
  localStorage.setItem(toPersonalKey(SIGN), on ? 'on' : 'off')
}
