// While a layer is up or on its way, what is typed is meant for it: single letters and Esc then act on nothing that lies under it.
let resting = 0

/** Lets the letters rest until the returned function is called. */
export function pauseLetters(): () => void {
  resting += 1
  let over = false
  return () => {
    if (!over) resting -= 1
    over = true
  }
}

const QUIET_MS = 1000

/** The field somebody was writing in is gone: letters rest until they have stopped for a moment, or point at something. */
export function pauseLettersWhileTyping() {
  const end = pauseLetters()
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

export function areLettersPaused(): boolean {
  return resting > 0
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

export function isTextInput(target: EventTarget | null): boolean {
  return isTextField(target) && !(target instanceof HTMLInputElement && NO_TEXT.test(target.type))
}

export function isTextField(target: EventTarget | null) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
