// A form: what stands in it, what is wrong with it, what was refused, what is not saved yet, and what somebody else saved meanwhile.
import type { ScheduleProblem, SendProblem } from '@balcao/contract'
import type { ErrorCode, FieldError } from '@balcao/contract/errors'
import { applyFieldRules, type FieldRule, type FieldRules } from '@balcao/contract/kit/forms'
import { isApiError } from '@balcao/ui/api'
import { makeId } from '@balcao/ui/browser'
import { findCatalogueText } from '@balcao/ui/catalogue'
import { describeError, getTexts, hasText } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { focusClash, focusFirstFault } from './first-fault.ts'
import { useHeldPage } from './held-page.ts'
import { findUnsavedForm, keepUnsavedForm, type UnsavedForm } from './unsaved-forms.ts'

/** Wrong fields and why: a code of the catalogue, or a key under `problem`. */
export type FieldFaults<F> = Readonly<Partial<Record<FieldName<F>, string>>>
type FieldName<F> = Extract<keyof F, string>
type FieldTexts = Readonly<Record<string, string>>
type Fields = Readonly<Record<string, unknown>>

/** How far a file is, and what ends its way up. */
interface UploadProgress {
  /** From 0 to 1. */
  readonly onProgress: (part: number) => void
  readonly signal: AbortSignal
}

export type NoRules = Readonly<Record<never, FieldRule<unknown>>>
/** The fields as they are kept: by their rules, where there are such. */
type FormValues<F, S extends FieldRules> = {
  readonly [N in keyof F]: N extends keyof S ? ReturnType<S[N]>['value'] : F[N]
}

export interface FormOptions<F extends object, T, S extends FieldRules> {
  /** The namespace of the screen's words. */
  readonly texts: string
  /** What stands in it at first. */
  readonly start: F
  /** The name under which what is written stays while its person is elsewhere; without one it goes with the form. */
  readonly keptAs?: string
  /** Adds something: the texts `form.addTitle` and `form.create` in place of `form.editTitle` and `form.save`. */
  readonly isNew?: boolean
  /** What the contract asks of fields, by their names. */
  readonly rules?: S
  /** What else is wrong. */
  readonly faultsOf?: (fields: F) => FieldFaults<F>
  /** Faults told at once; the others when somebody tries to save. */
  readonly atOnce?: readonly FieldName<F>[]
  /** The field a refusal is about, by its code; what the server says of a field by name finds it by itself. */
  readonly fieldOf?: Readonly<Partial<Record<ErrorCode, FieldName<F>>>>
  /** How a field is called: the text `form.<name>` unless given. */
  readonly labelOf?: (name: FieldName<F>) => string
  /**
   * `progress`: for `upload`, where files go up. `version`: which one of the thing is known here, so that nothing newer is overwritten.
   * `clientId`: as what something new is asked for; asked for once more, because no answer came, it is the same. `base`: what it was
   * written over.
   */
  readonly save: (
    fields: FormValues<F, S>,
    progress: UploadProgress,
    version: number | undefined,
    clientId: string,
    base: F,
  ) => Promise<T>
  readonly onSaved: (saved: T) => unknown
  /** Asked once nothing is wrong any more; false saves nothing and leaves the form as it is. */
  readonly confirm?: (fields: FormValues<F, S>) => Promise<boolean>
  /** The fields as they stand on the server now; of what is new, none. */
  readonly now?: F
  readonly version?: number
  /** What is changed was deleted meanwhile: said at once, and nothing can be saved any more. */
  readonly isGone?: boolean
}

export type Form<F extends object> = ReturnType<typeof useForm<F, unknown>>

/**
 * The state of a form.
 *
 * @example
 * const form = useForm({ texts: 'tags', start: toFields(tag), rules: tagRules, save: fields => saveTag(tag, fields), onSaved: rows.put })
 * <FormDialog form={form} …><FormField form={form} name="name">{field => <TextInput {...field} />}</FormField></FormDialog>
 */
export function useForm<F extends object, T, S extends FieldRules = NoRules>(options: FormOptions<F, T, S>) {
  const {
    texts,
    start,
    isNew = false,
    rules,
    faultsOf,
    atOnce = [],
    fieldOf = {},
    now,
    version,
    isGone = false,
    keptAs,
  } = options
  const [left] = useState(() => resumeForm(findUnsavedForm<F>(keptAs), start, version))
  const [base, setBase] = useState(left.base)
  const [fields, setFields] = useState(left.fields)
  const [clientId, setClientId] = useState(left.clientId)
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<FieldTexts>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [part, setPart] = useState<number | null>(null)
  const [clashes, setClashes] = useState<FieldTexts>({})
  const [seen, setSeen] = useState<FieldProgress<F> | null>(null)
  const [isMadeBefore, setMadeBefore] = useState(false)
  const labelOf = options.labelOf ?? (name => getTexts(texts)(`form.${name}`))
  const box = useRef<HTMLDivElement>(null)
  const isSubmitting = useRef(false)
  const isAnswered = useRef(false)
  const uploading = useRef<AbortController | null>(null)

  const { values, broken } = applyRules<F, S>(fields, rules)
  const faults = keepTexts(Object.entries({ ...broken, ...faultsOf?.(fields) }))
  const shown = { ...refused, ...(tried ? faults : keepTexts(atOnce.map(name => [name, faults[name]]))) }
  const changed = listChangedFields(fields, base)
  // What was sent, and was saved though the answer did not come, is nobody else's: from there on it goes on.
  const [sent, setSent] = useState<SaveAttempt<F> | null>(null)
  if (sent && now && part === null && isSaved(now, base, sent)) {
    const there = listFieldNames(fields).filter(name => isSame(now[name], sent.cleaned[name]))
    const asSent = there.filter(name => isSame(fields[name], sent.written[name]))
    setBase(now)
    setFields({ ...fields, ...pickFields(now, asSent) })
    // A colleague may have saved one field just so: the others are still to be saved.
    if (there.length === listFieldNames(fields).length) {
      setFailure(null)
      setSent(null)
    }
  }
  const theirs = now && part === null ? listChangedFields(now, base) : []
  const [known, setKnown] = useState(left.version)
  // What changed elsewhere and is not shown here, such as who is online, changes nothing for who saves.
  // A version that is not known any more is none to save over: the last one that was known counts.
  if (part === null && theirs.length === 0 && version !== undefined && known !== version) setKnown(version)
  const theirsAt = useMemo(() => (theirs.length > 0 ? new Date() : null), [theirs.length])
  const goneAt = useMemo(() => (isGone && part === null ? new Date() : null), [isGone, part])
  const isUnsaved = changed.length > 0 && !isGone
  useHeldPage(isUnsaved)
  useEffect(() => {
    if (keptAs === undefined || isAnswered.current) return
    keepUnsavedForm(keptAs, isUnsaved ? { fields, base, version: known, clientId } : null)
  }, [keptAs, isUnsaved, fields, base, known, clientId])

  function change(some: Partial<F>) {
    setFields(old => ({ ...old, ...some }))
    touch()
  }

  function set<K extends keyof F>(name: K, value: F[K]) {
    setFields(old => ({ ...old, [name]: value }))
    touch()
  }

  function touch() {
    setRefused({})
    setFailure(null)
    isAnswered.current = false
  }

  /** It was saved or given up: nothing of it is kept. */
  function forget() {
    isAnswered.current = true
    if (keptAs !== undefined) keepUnsavedForm(keptAs, null)
  }

  /** What is written becomes another thing beside the one that was made of it before; it is still to be saved. */
  function asNew() {
    setClientId(makeId())
    setMadeBefore(false)
    setRefused({})
    box.current?.closest('form')?.querySelector<HTMLElement>('[type="submit"]')?.focus()
  }

  /** Enter pressed twice saves once, also while it is still asked. */
  async function submit() {
    if (isSubmitting.current || isGone) return
    if (Object.keys(faults).length > 0) return focusFirstFault(box.current, () => setTried(true))
    setTried(true)
    isSubmitting.current = true
    const stop = new AbortController()
    uploading.current = stop
    try {
      if (options.confirm && !(await options.confirm(values))) return
      setPart(0)
      setSent({ written: fields, cleaned: cleanTexts(fields, values) })
      setFailure(null)
      const saved = await options.save(values, { onProgress: setPart, signal: stop.signal }, known, clientId, base)
      forget()
      await options.onSaved(saved)
    } catch (error) {
      if (error === stop.signal.reason) return
      if (isApiError(error) && error.status > 0) setSent(null)
      const found = toFieldRefusals(error, texts, fieldOf, listFieldNames(fields))
      setMadeBefore(isRepeatedCreate(error, listFieldNames(fields)))
      focusFirstFault(box.current, () => setRefused(found))
      if (Object.keys(found).length > 0) return
      setFailure(describeError(error))
      toast.error(describeError(error))
    } finally {
      isSubmitting.current = false
      setPart(null)
    }
  }

  /** Takes what somebody else saved into the fields that were not touched here, and shows it beside the others. */
  function seeTheirs() {
    if (!now) return
    const touched = theirs.filter(name => changed.includes(name))
    setFields(old => ({
      ...old,
      ...pickFields(
        now,
        theirs.filter(name => !touched.includes(name)),
      ),
    }))
    focusClash(box.current, () => {
      setClashes(Object.fromEntries(touched.map(name => [name, toText(now[name])])))
      setSeen({ touched, taken: theirs.filter(name => !touched.includes(name)) })
      setBase(now)
      setFailure(null)
    })
  }

  return {
    texts,
    isNew,
    fields,
    change,
    set,
    submit: () => void submit(),
    box,
    errorOf: (name: FieldName<F>) => describeProblem(texts, shown[name]),
    /** What somebody else saved in a field that is touched here. */
    clashOf: (name: FieldName<F>) => clashes[name],
    busy: part !== null,
    part,
    /** While a file goes up, of which the server has not all yet and so has saved nothing: ends that, and what is written stays. */
    stopUpload: part !== null && part > 0 && part < 1 ? () => uploading.current?.abort() : null,
    changed: changed.length,
    wrong: Object.keys(shown).length,
    /** Why it was not saved, where no field is to blame: stays until something is changed or saved. */
    failure,
    theirsAt,
    goneAt,
    seeTheirs,
    /** What somebody else saved, once it was looked at, by the names people read: what both changed, and what was taken over. */
    seen: seen && { touched: seen.touched.map(labelOf), taken: seen.taken.map(labelOf) },
    forget,
    clientId,
    /** Something was made of this before it was changed: only `asNew` goes on from here. */
    isMadeBefore,
    asNew,
  }
}

/** What was sent: as it was written, and as the server keeps it. */
interface SaveAttempt<F> {
  readonly written: F
  readonly cleaned: Fields
}

function cleanTexts<F extends object>(fields: F, ruled: object): Fields {
  const values: Fields = Object.fromEntries(Object.entries(ruled))
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      typeof field === 'string' ? String(values[name] ?? '').trim() : field,
    ]),
  )
}

/** Whether whatever the server has otherwise than before is what was sent. */
function isSaved<F extends object>(now: F, base: F, { cleaned }: SaveAttempt<F>): boolean {
  const others = listChangedFields(now, base)
  return others.length > 0 && others.every(name => isSame(now[name], cleaned[name]))
}

interface FieldProgress<F> {
  readonly touched: readonly FieldName<F>[]
  readonly taken: readonly FieldName<F>[]
}

/** What was left goes on over what stands there now, such as an hour that has become another, unless somebody else changed the same. */
function resumeForm<F extends object>(
  left: UnsavedForm<F> | null,
  start: F,
  version: number | undefined,
): UnsavedForm<F> {
  if (!left) return { fields: start, base: start, version, clientId: makeId() }
  const own = listChangedFields(left.fields, left.base)
  if (left.version !== version || own.some(name => !isSame(left.base[name], start[name]))) return left
  return { ...left, fields: { ...start, ...pickFields(left.fields, own) }, base: start }
}

/** What the server says of something new whose `clientId` it has already begun with other words. */
const MADE_BEFORE: ReadonlySet<string | undefined> = new Set<SendProblem | ScheduleProblem>([
  'begunBefore',
  'sentBefore',
])

function isRepeatedCreate(error: unknown, names: readonly string[]): boolean {
  return isApiError(error) && names.some(name => MADE_BEFORE.has(error.field(name)?.code))
}

function applyRules<F extends object, S extends FieldRules>(fields: F, rules: S | undefined) {
  const { values, faults } = applyFieldRules<FieldRules, Fields>(
    rules ?? {},
    Object.fromEntries(Object.entries(fields)),
  )
  // The rules have just made these of the fields of their names; TypeScript does not follow that from name to name.
  return { values: { ...fields, ...values } as FormValues<F, S>, broken: faults }
}

/** The sentence of a fault: the screen's own, the catalogue's, or the words themselves. */
export function describeProblem(texts: string, problem: string | undefined): string | null {
  if (!problem) return null
  if (hasText(texts, `problem.${problem}`)) return getTexts(texts)(`problem.${problem}`)
  return findCatalogueText(problem) ?? problem
}

function toFieldRefusals(error: unknown, texts: string, fieldOf: FieldTexts, names: readonly string[]): FieldTexts {
  if (!isApiError(error)) return {}
  const field = fieldOf[error.code]
  return field
    ? { [field]: error.code }
    : keepTexts(names.map(name => [name, describeFieldError(texts, error.field(name))]))
}

/** What the server says of a field, where the screen has no word of its own for it. */
function describeFieldError(texts: string, fault: FieldError | null): string | undefined {
  const own = `problem.${fault?.code}`
  return hasText(texts, own) ? getTexts(texts)(own, fault?.params) : fault?.message
}

/** Without those of which nothing is said. */
function keepTexts(all: readonly (readonly [string, string | null | undefined])[]): FieldTexts {
  return Object.fromEntries(all.flatMap(([name, words]) => (words ? [[name, words]] : [])))
}

function listChangedFields<F extends object>(one: F, other: F) {
  return listFieldNames(one).filter(name => !isSame(one[name], other[name]))
}

function isSame(one: unknown, other: unknown) {
  return Object.is(one, other) || JSON.stringify(one) === JSON.stringify(other)
}

function pickFields<T extends object>(all: T, names: readonly (keyof T)[]): Partial<T> {
  const some: Partial<T> = {}
  for (const name of names) if (name in all) some[name] = all[name]
  return some
}

function listFieldNames<F extends object>(fields: F): FieldName<F>[] {
  const names: FieldName<F>[] = []
  for (const name in fields) names.push(name)
  return names
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
