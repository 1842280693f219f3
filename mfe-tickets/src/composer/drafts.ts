// What is half written stays with its ticket, for whoever wrote it: words on this device, files and a changed message as long as the
// page. The list shows it once its composer is left.

import type { MemberMention } from '@balcao/contract/messages/member-mentions'
import { remember } from '@balcao/ui/browser'
import { getTexts, type Texts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { keepPerSession, keepSessionState, toPersonalKey, WRITING_KEYS } from '@balcao/ui/session'
import { view } from '../desk/view.ts'
import { type ComposerSheet, createEmptySheet, getSheetText, setSheetText } from './sheet.ts'

export interface Draft {
  readonly text: string
  /** Sending was tried, and held back because a colleague was answering too. */
  readonly held: boolean
}

/** The drafts nobody is at just now, by lane. */
export const drafts = keepSessionState<{ known: Record<number, Draft> }>(() => ({ known: {} }))

/** What was changed in a message and is not saved. */
export interface HeldEdit {
  readonly id: number
  readonly text: string
}

/** What no storage takes, by lane: sheets with files, and edits. */
const getHeld = keepPerSession(() => ({
  /** By its key: words for which the device has no room. */
  words: new Map<string, string>(),
  sheets: new Map<number, ComposerSheet>(),
  edits: new Map<number, HeldEdit>(),
}))

/** What lay in the composer when it was left. */
export function readSheet(lane: number): ComposerSheet {
  return getHeld().sheets.get(lane) ?? createEmptySheet(readDraft(lane))
}

export function keepSheet(lane: number, sheet: ComposerSheet) {
  const { sheets } = getHeld()
  if (sheet.files.length > 0) {
    sheets.set(lane, sheet)
    markFiles(lane, sheet.files.length)
  } else {
    sheets.delete(lane)
    sessionStorage.removeItem(toFilesKey(lane))
  }
  keepDraft(lane, getSheetText(sheet))
}

/** That files lay there beside the words when the page was left, and went with it. */
export function describeLostFiles(lane: number, t: Texts): string | null {
  const count = Number(sessionStorage.getItem(toFilesKey(lane)))
  return count > 0 && !getHeld().sheets.has(lane) ? t('composer.filesLost', { count }) : null
}

/** For this tab alone: in another one the same files still lie there. */
function markFiles(lane: number, count: number) {
  try {
    sessionStorage.setItem(toFilesKey(lane), String(count))
  } catch {
    // No room: whoever loses them is told nothing.
  }
}

export function readEdit(lane: number): HeldEdit | null {
  return getHeld().edits.get(lane) ?? null
}

export function keepEdit(lane: number, edit: HeldEdit | null) {
  if (edit) getHeld().edits.set(lane, edit)
  else getHeld().edits.delete(lane)
}

/** Whether something lies in a composer that a reload would lose. */
export function isHolding(): boolean {
  const { sheets, edits, words } = getHeld()
  const isChanged = [...edits].some(([lane, { id }]) => {
    const target = view.target[lane]
    return target?.kind === 'edit' && target.message.id === id
  })
  return sheets.size > 0 || words.size > 0 || isChanged
}

export function readDraft(lane: number): string {
  return findItem(toDraftKey(lane)) ?? ''
}

export function keepDraft(lane: number, text: string) {
  const { sheets } = getHeld()
  const sheet = sheets.get(lane)
  if (sheet) sheets.set(lane, setSheetText(sheet, text))
  if (text.trim() !== '') return keepItem(toDraftKey(lane), text)
  removeItem(toDraftKey(lane))
  removeItem(toHeldKey(lane))
  removeItem(toMembersKey(lane))
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
  const lines = findItem(toMembersKey(lane))?.split('\n') ?? []
  return lines.flatMap(line => {
    const [id, name] = line.split('\t')
    return id && name ? [{ id, name }] : []
  })
}

export function keepMembers(lane: number, members: readonly MemberMention[]) {
  const lines = [...readMembers(lane), ...members].map(({ id, name }) => `${id}\t${name}`)
  keepItem(toMembersKey(lane), [...new Set(lines)].join('\n'))
}

export function isHeld(lane: number): boolean {
  return findItem(toHeldKey(lane)) !== null
}

/** What was held back from going out stays visible as such, also when its writer has gone elsewhere. */
export function keepHeld(lane: number) {
  if (readDraft(lane) !== '') keepItem(toHeldKey(lane), 'yes')
}

/** Somebody writes there again: until they leave the list shows what was said last. */
export function enterDraft(lane: number) {
  delete drafts.known[lane]
}

export function leaveDraft(lane: number) {
  const text = readDraft(lane) || (readSheet(lane).files[0]?.file.name ?? '')
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

function toFilesKey(lane: number) {
  return `${toPersonalKey(WRITING_KEYS.files)}.${lane}`
}

function toMembersKey(lane: number) {
  return `${toPersonalKey(WRITING_KEYS.members)}.${lane}`
}

function toHeldKey(lane: number) {
  return `${toPersonalKey(WRITING_KEYS.held)}.${lane}`
}

function findItem(key: string): string | null {
  return getHeld().words.get(key) ?? localStorage.getItem(key)
}

function removeItem(key: string) {
  getHeld().words.delete(key)
  localStorage.removeItem(key)
}

function keepItem(key: string, text: string) {
  const { words } = getHeld()
  if (remember(key, text)) words.delete(key)
  else {
    if (words.size === 0) toast.warning(getTexts('tickets')('composer.notKept'), { key: 'notKept' })
    words.set(key, text)
  }
}

const SIGN = 'balcao.sign'

/** Signing messages with the attendant's name is on by default and stored locally (spec 1 §5). */
export function isSigning(): boolean {
  return localStorage.getItem(toPersonalKey(SIGN)) !== 'off'
}

export function keepSigning(on: boolean) {
  remember(toPersonalKey(SIGN), on ? 'on' : 'off')
}
