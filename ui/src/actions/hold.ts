// What is typed while a layer or a field is on its way is held in a field that nobody sees: there dead keys, input methods and what is
// pasted do what they do in any other.
import { useEffect, useLayoutEffect } from 'react'
import { getTexts } from '../i18n/core.ts'
import { areLettersPaused, insertText, isTextInput, pauseLetters } from './rest.ts'

const FOCUS_MS = 300
/** A page that stands has its keys at once; a field that it brings holds what is typed by then. */
const PAGE_MS = 50
const QUIET_MS = 1000

/** Whom held letters are for, where it is not the first field that gets the focus. */
interface LetterReceiver {
  /** What is typed for one lane goes on where it was begun, however often it is held. */
  readonly lane: () => number | null
  readonly isFor: (field: HTMLElement) => boolean
  /** Gets what found no field: the person turned to something else, or the field did not come. */
  readonly keep: (text: string) => void
}

interface HoldOptions {
  readonly receiver?: LetterReceiver
  /** It is not given up where the focus goes to something that takes no text, or something is pressed: a page comes, not a layer over it. */
  readonly lasts?: boolean
  /** Held from the first letter on, also where another field would take it; without it only what no field takes. */
  readonly takesFocus?: boolean
  /** It comes whatever is pressed: Escape gives nothing up. */
  readonly isCertain?: boolean
}

interface Holding {
  readonly place: HTMLTextAreaElement
  /** Where the focus would be. */
  before: Element | null
  /** It comes no more: given up once the person pauses, or where nothing was typed, something else comes. */
  comesNot: boolean
  /** Ends this one because the next begins, which goes on with what was typed unless that was meant for somebody else. */
  readonly handOver: (lane: number | null) => void
}

let holding: Holding | null = null

/**
 * What is typed while a layer or a field is on its way is held, and stands in its field once that has the focus. For a layer it is given
 * up where the focus goes to something that takes no text, or the person turns to something else. The returned function is called when
 * it stands there, or comes no more: it takes the focus within `withinMs` or never. 'refused': who writes on may not have seen it yet.
 */
export function holdLetters(options: HoldOptions = {}): (withinMs?: number | 'refused') => void {
  const { receiver, lasts = receiver !== undefined, takesFocus = false, isCertain = false } = options
  const earlier = holding
  // A layer that comes meanwhile is not what they write on for.
  if (earlier?.comesNot && !receiver && !takesFocus) return () => undefined
  earlier?.handOver(receiver?.lane() ?? null)
  const place = earlier?.place.isConnected ? earlier.place : makePlace()
  const before = earlier && document.activeElement === place ? earlier.before : document.activeElement
  const listening = new AbortController()
  const { signal } = listening
  let givingBack = false
  let endRest: (() => void) | null = null

  function typed(event: KeyboardEvent) {
    if (event.defaultPrevented || event.isComposing) return
    if (event.target !== place && isTextInput(event.target)) return
    if (event.key === 'Escape' && isCertain && !own.comesNot) {
      // In a menu or dialog that was opened meanwhile it closes that.
      if (event.target !== place && event.target !== document.body) return
      event.preventDefault()
      return event.stopPropagation()
    }
    if (event.key === 'Escape' || event.key === 'Tab') return stop()
    const isPaste = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v'
    const isOther = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
    if (isOther && !isPaste) return
    if (event.key === 'Enter' && !event.shiftKey) {
      if (place.value === '' && !lasts) return stop()
      // Nothing is sent or chosen by who typed on: they see first where it went.
      event.preventDefault()
    } else if (event.target !== place && !isLetter(event.key)) return
    // The letter itself comes after this, to where the focus is by then.
    if (document.activeElement !== place) place.focus({ preventScroll: true })
    event.stopPropagation()
  }
  function arrived({ target }: FocusEvent) {
    if (givingBack || target === place || !(target instanceof HTMLElement)) return
    if (lasts && !isTextInput(target)) {
      own.before = target
      if (own.comesNot && place.value === '') stop()
      return
    }
    const isPlace = isTextInput(target) && (receiver?.isFor(target) ?? true)
    if (isPlace && place.value !== '' && insertText(target, place.value)) place.value = ''
    stop()
  }
  // A word that is being put together is finished first: until then nobody takes the focus.
  function beginWord() {
    endRest ??= pauseLetters()
  }
  function endWord() {
    endRest?.()
    endRest = null
  }

  function leave() {
    listening.abort()
    endWord()
    holding = null
  }
  function giveBack() {
    if (document.activeElement !== place) return
    givingBack = true
    const { before } = own
    if (before instanceof HTMLElement && before.isConnected && before !== document.body)
      before.focus({ preventScroll: true })
    else place.blur()
    givingBack = false
  }
  function stop() {
    if (holding !== own) return
    leave()
    giveBack()
    place.remove()
    if (place.value !== '') receiver?.keep(place.value)
  }
  /** It does not come: who is writing writes on until they pause, so that no word is torn and none is a key to anything. */
  function giveUp() {
    if (holding !== own || place.value === '') return stop()
    own.comesNot = true
    let pause = setTimeout(stop, QUIET_MS)
    function wait() {
      clearTimeout(pause)
      pause = setTimeout(stop, QUIET_MS)
    }
    place.addEventListener('input', wait, { signal })
    document.addEventListener('pointerdown', stop, { signal, capture: true })
  }

  document.addEventListener('keydown', typed, { signal, capture: true })
  document.addEventListener('focusin', arrived, { signal })
  if (!lasts) document.addEventListener('pointerdown', stop, { signal, capture: true })
  // A page that is loaded anew has no field to wait for.
  addEventListener('pagehide', stop, { signal })
  place.addEventListener('compositionstart', beginWord, { signal })
  place.addEventListener('compositionend', endWord, { signal })
  const own: Holding = {
    place,
    before,
    comesNot: false,
    handOver(lane) {
      leave()
      if (!receiver || receiver.lane() === lane || place.value === '') return
      receiver.keep(place.value)
      place.value = ''
    },
  }
  holding = own
  if (takesFocus && hasKeyboard()) place.focus({ preventScroll: true })
  return (withinMs = FOCUS_MS) => {
    if (holding !== own) return
    if (!receiver) giveBack()
    own.comesNot = withinMs === 'refused'
    if (withinMs === 0 || (own.comesNot && areLettersPaused())) giveUp()
    else setTimeout(giveUp, withinMs === 'refused' ? QUIET_MS : withinMs)
  }
}

/** For what stands where a layer, or else a page, will that is on its way. */
export function useHeldLetters(scope: 'layer' | 'page') {
  const hold = () => {
    const release = holdLetters(scope === 'page' ? { lasts: true, takesFocus: true } : {})
    return () => release(scope === 'page' ? PAGE_MS : FOCUS_MS)
  }
  useLayoutEffect(pauseLetters, [])
  useLayoutEffect(hold, [scope])
  // Once more when the menu that opened it has given the focus back, which gives up what is held.
  useEffect(hold, [scope])
}

/** Whether the focus is nowhere but with what is being held. */
export function isHeldPlace(element: Element | null): boolean {
  return element !== null && element === holding?.place
}

/** On a touch keyboard a field that takes the focus by itself would hide what is to be read. */
export function hasKeyboard(): boolean {
  return window.matchMedia('(hover: hover)').matches
}

/** Those that say what they write, and the two that say only that something will be. */
function isLetter(key: string): boolean {
  return key.length === 1 || key === 'Enter' || key === 'Backspace' || key === 'Dead' || key === 'Process'
}

function makePlace(): HTMLTextAreaElement {
  const place = document.body.appendChild(document.createElement('textarea'))
  place.className = 'b-only-read'
  place.tabIndex = -1
  place.setAttribute('aria-label', getTexts('ui')('loading'))
  return place
}
