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

/**
 * What is typed while a layer is on its way is held, and stands in its field once that has the focus. It is given up where the
 * focus goes to something that takes no text, or the person turns to something else. The returned function is called when the
 * layer stands there, or comes no more: it takes the focus then or never.
 */
export function holdLetters(): () => void {
  let held = ''
  function typed(event: KeyboardEvent) {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (inField(event.target)) return
    if (event.key === 'Escape' || event.key === 'Tab' || event.key === 'Enter') return stop()
    if (event.key.length !== 1) return
    event.preventDefault()
    held += event.key
  }
  function arrived({ target }: FocusEvent) {
    stop()
    const takesText = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !target.readOnly)
    // Null where a caret has no place, such as in a date.
    if (held === '' || !takesText || target.selectionEnd === null) return
    target.setRangeText(held, target.selectionEnd, target.selectionEnd, 'end')
    target.dispatchEvent(new Event('input', { bubbles: true }))
  }
  function stop() {
    document.removeEventListener('keydown', typed, true)
    document.removeEventListener('focusin', arrived)
    document.removeEventListener('pointerdown', stop, true)
  }
  document.addEventListener('keydown', typed, true)
  document.addEventListener('focusin', arrived)
  document.addEventListener('pointerdown', stop, true)
  return () => setTimeout(stop, FOCUS_MS)
}

export function inField(target: EventTarget | null) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
