// While a layer is up or on its way, what is typed is meant for it: single letters and Esc then act on nothing that lies under it.
let resting = 0

/** Lets the letters rest until the returned function is called. */
export function restLetters(): () => void {
  resting += 1
  let over = false
  return () => {
    if (!over) resting -= 1
    over = true
  }
}

const QUIET_MS = 1000
const FOCUS_MS = 300

/** The field somebody was writing in is gone: letters rest until they have stopped for a moment, or point at something. */
export function restWhileTyping() {
  const end = restLetters()
  let timer = setTimeout(stop, QUIET_MS)
  function typed(event: KeyboardEvent) {
    clearTimeout(timer)
    if (event.key === 'Escape' || event.key === 'Tab') return stop()
    timer = setTimeout(stop, QUIET_MS)
  }
  function stop() {
    clearTimeout(timer)
    document.removeEventListener('keydown', typed, true)
    document.removeEventListener('pointerdown', stop, true)
    end()
  }
  document.addEventListener('keydown', typed, true)
  document.addEventListener('pointerdown', stop, true)
}

export function lettersRest(): boolean {
  return resting > 0
}

/** Whom held letters are for, where it is not the first field that gets the focus. */
interface LetterHold {
  readonly isFor: (field: HTMLElement) => boolean
  /** Gets what found no field: the person turned to something else, or the field did not come. */
  readonly keep: (text: string) => void
}

/**
 * What is typed while a layer or a field is on its way is held, and stands in its field once that has the focus. For a layer it is given
 * up where the focus goes to something that takes no text, or the person turns to something else. The returned function is called when
 * it stands there, or comes no more: it takes the focus within `withinMs` or never.
 */
export function holdLetters(hold?: LetterHold): (withinMs?: number) => void {
  let held = ''
  function typed(event: KeyboardEvent) {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (takesText(event.target)) return
    if (event.key === 'Escape' || event.key === 'Tab') return stop()
    // Nothing is sent or chosen by who typed on: they see first where it went.
    if (event.key === 'Enter' && held === '' && !hold) return stop()
    if (event.key.length !== 1 && event.key !== 'Enter' && event.key !== 'Backspace') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Backspace') held = held.slice(0, -1)
    else if (event.key !== 'Enter') held += event.key
  }
  function arrived({ target }: FocusEvent) {
    if (!(target instanceof HTMLElement)) return
    const isPlace = takesText(target) && (hold?.isFor(target) ?? true)
    if (hold && !isPlace && !takesText(target)) return
    if (isPlace && held !== '' && insertText(target, held)) held = ''
    stop()
  }
  function stop() {
    document.removeEventListener('keydown', typed, true)
    document.removeEventListener('focusin', arrived)
    document.removeEventListener('pointerdown', stop, true)
    if (held !== '') hold?.keep(held)
    held = ''
  }
  document.addEventListener('keydown', typed, true)
  document.addEventListener('focusin', arrived)
  if (!hold) document.addEventListener('pointerdown', stop, true)
  return (withinMs = FOCUS_MS) => (withinMs === 0 ? stop() : setTimeout(stop, withinMs))
}

/** Puts words where the caret stands, without the focus. Whether they went in: a caret has no place in a date, for example. */
export function insertText(field: HTMLElement, text: string): boolean {
  const takes = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement
  if (!takes || field.readOnly || field.selectionEnd === null) return false
  field.setRangeText(text, field.selectionEnd, field.selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
  return true
}

const NO_TEXT = /^(?:radio|checkbox|button|submit|reset|file|color|range|image)$/

function takesText(target: EventTarget | null): boolean {
  return inField(target) && !(target instanceof HTMLInputElement && NO_TEXT.test(target.type))
}

export function inField(target: EventTarget | null) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
