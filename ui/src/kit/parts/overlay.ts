// What dialogs, drawers and menus have in common: Escape closes only the topmost, focus goes in and comes back, Tab stays inside,
// and single letters rest meanwhile.

import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { isComposing } from '../../actions/composing.ts'
import { pauseLetters } from '../../actions/rest.ts'

const FOCUSABLE =
  'a[href],button:not(:disabled),input:not(:disabled),select:not(:disabled),textarea:not(:disabled),[tabindex]:not([tabindex="-1"])'

/** Lists of PrimeReact; one that fades is shut. */
const OPEN_LIST =
  ':is(.p-dropdown-panel,.p-multiselect-panel):not(.p-connected-overlay-exit,.p-connected-overlay-exit-active)'

const open: symbol[] = []
const DOUBLE_CLICK_MS = 500
const DOUBLE_CLICK_PX = 10

interface OverlayOptions {
  readonly onClose: () => void
  /** Keep Tab inside (modal). */
  readonly trap?: boolean
  /** Close on a press outside of the panel and of this: the button that opened it, whose own press closes. */
  readonly outside?: RefObject<HTMLElement | null>
  /** It stands beside the page, which goes on: its letters too. */
  readonly beside?: boolean | undefined
}

/** Behaviour of one open layer; the component exists only while it is open. */
export function useOverlay(panel: RefObject<HTMLElement | null>, { onClose, trap, outside, beside }: OverlayOptions) {
  const close = useEffectEvent(onClose)

  // In the commit that draws it: between the press that opens a layer and its effects keys may come.
  useLayoutEffect(() => (beside ? undefined : pauseLetters()), [beside])
  useEffect(() => {
    const self = Symbol('overlay')
    open.push(self)
    takeSecondPress()
    const now = document.activeElement
    const before = owed ?? now
    const around = listEnclosingRows(before)
    const layer = panel.current
    if (!layer?.contains(now)) focusFirst(layer)

    // The second press of a double click may fall on the layer that the first one opened, or on the page beside it: it takes the focus
    // from no field.
    const since = performance.now()
    let focused = document.activeElement
    function steady(event: FocusEvent) {
      if (event.target instanceof Element) focused = event.target
      const isNowhere = event.target === layer || event.target === document.getElementById('main')
      if (isNowhere && performance.now() - since < DOUBLE_CLICK_MS) focusFirst(layer)
    }
    document.addEventListener('focusin', steady)
    // What had the focus may be drawn away: then Tab goes on from the layer.
    const drawn = new MutationObserver(() => {
      if (open.at(-1) === self && !focused?.isConnected && isFocusNowhere()) layer?.focus({ preventScroll: true })
    })
    if (layer && trap) drawn.observe(layer, { childList: true, subtree: true })

    // PrimeReact's lists take every Escape for themselves, also while they are shut: what counts is whether one was open.
    let listWasOpen = false
    function check() {
      listWasOpen = isListOpen()
    }
    function key(event: KeyboardEvent) {
      if (open.at(-1) !== self || isComposing(event)) return
      const shutList = event.key === 'Escape' && !listWasOpen && isPrime(event.target)
      if (event.defaultPrevented && !shutList) return
      if (event.key === 'Escape' && !listWasOpen) {
        event.preventDefault()
        close()
      }
      if (event.key === 'Tab' && trap) keepInside(panel.current, event)
    }
    function press(event: PointerEvent) {
      if (open.at(-1) !== self || !(event.target instanceof Node)) return
      if (panel.current?.contains(event.target) || outside?.current?.contains(event.target)) return
      if (event.target instanceof Element && event.target.closest('.p-component,.b-toasts')) return
      close()
    }
    document.addEventListener('keydown', check, true)
    document.addEventListener('keydown', key)
    // Whoever goes back, as phones do by a gesture, takes along nothing that lay over the page.
    const leave = () => close()
    if (!beside) addEventListener('popstate', leave)
    if (outside) document.addEventListener('pointerdown', press)
    return () => {
      open.splice(open.indexOf(self), 1)
      drawn.disconnect()
      document.removeEventListener('focusin', steady)
      document.removeEventListener('keydown', check, true)
      document.removeEventListener('keydown', key)
      document.removeEventListener('pointerdown', press)
      removeEventListener('popstate', leave)
      takeSecondPress()
      if (!focusMovedOn(panel.current)) giveBack(before, around)
    }
  }, [panel, trap, outside, beside])
}

/** Where the last press began, and of the one that opened or closed a layer also until when another is its second half. */
let lastPress = { x: 0, y: 0 }
let layerPress = { x: 0, y: 0, end: 0 }
document.addEventListener('pointerdown', ({ clientX: x, clientY: y }) => (lastPress = { x, y }), true)

/** The second press of a double click that opened or closed a layer does nothing: neither there nor to what lies under it. */
function takeSecondPress() {
  layerPress = { ...lastPress, end: performance.now() + DOUBLE_CLICK_MS }
  for (const type of ['mousedown', 'click'] as const) addEventListener(type, stopSecondPress, true)
}

function stopSecondPress(event: MouseEvent) {
  const { x, y, end } = layerPress
  const isThere = Math.abs(event.clientX - x) + Math.abs(event.clientY - y) <= DOUBLE_CLICK_PX
  if (event.detail < 2 || !isThere || performance.now() > end) return
  event.preventDefault()
  event.stopPropagation()
}

/** Puts the focus on `[data-autofocus]`, else on the first control that is not a close button, else on the panel. */
function focusFirst(panel: HTMLElement | null) {
  const wanted = panel?.querySelector<HTMLElement>('[data-autofocus]')
  const first = [...(panel?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].find(
    element => !element.hasAttribute('data-close'),
  )
  ;(wanted ?? first ?? panel)?.focus({ preventScroll: true })
}

/** What rests while the layer is open that took the place of another one: that one gives the focus back to it. */
let owed: HTMLElement | null = null

/** What stands around it in its row, from inside to outside: of a row that is drawn anew a button may go, such as one that pauses. */
function listEnclosingRows(before: Element | null): readonly Element[] {
  const row = before?.closest('tr,li,[role="row"]')
  const around: Element[] = []
  for (let at = before?.parentElement; row && at && row.contains(at); at = at.parentElement) around.push(at)
  return around
}

/** To where the focus was; where that is gone, into its row; where that is gone too or rests, to what the page is about: never to nothing. */
function giveBack(before: Element | null, around: readonly Element[]) {
  if (before instanceof HTMLElement && before !== document.body && before.isConnected) {
    if (!before.matches(':disabled')) return before.focus()
    owed = before
    // The next layer opens in the commit that closes this one.
    queueMicrotask(() => {
      owed = null
    })
  }
  const beside = around
    .filter(({ isConnected }) => isConnected)
    .map(place => place.querySelector<HTMLElement>(FOCUSABLE))
  const next = before?.isConnected ? null : beside.find(found => found !== null)
  ;(next ?? document.getElementById('main'))?.focus({ preventScroll: true })
}

/** True if the person has already put the focus somewhere else on the page. */
function focusMovedOn(panel: HTMLElement | null) {
  const now = document.activeElement
  return !isFocusNowhere() && !panel?.contains(now)
}

function isFocusNowhere() {
  return document.activeElement === null || document.activeElement === document.body
}

function isPrime(target: EventTarget | null) {
  return target instanceof Element && target.closest('.p-dropdown,.p-multiselect') !== null
}

/** The lists lie beside the layers; the field that opened one says nothing of it that stays true. */
function isListOpen(): boolean {
  return document.querySelector(OPEN_LIST) !== null
}

function keepInside(panel: HTMLElement | null, event: KeyboardEvent) {
  const all = [...(panel?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])]
  const first = all[0]
  const last = all.at(-1)
  if (!first || !last) return event.preventDefault()
  const now = document.activeElement
  if (event.shiftKey && (now === first || now === panel || isFocusNowhere())) {
    event.preventDefault()
    last.focus()
  } else if (!event.shiftKey && (now === last || isFocusNowhere())) {
    event.preventDefault()
    first.focus()
  }
}
