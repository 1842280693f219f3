import { areLettersPaused, hasKeyboard, pauseLettersWhileTyping, useActions } from '@balcao/ui/actions'
import { Pencil } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useMemo } from 'react'
import { view } from '../desk/view.ts'

/** Where the browser does it by itself, measuring would only cost a layout for each conversation that is opened. */
const GROWS_ITSELF = CSS.supports('field-sizing', 'content')

/** Grows with its text up to 5 rows. */
export function useGrow(field: RefObject<HTMLTextAreaElement | null>, text: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again for each text
  useLayoutEffect(() => {
    const element = field.current
    if (!element || GROWS_ITSELF) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [field, text])
}

/** A field that comes takes the focus from no dialog; on phones its keyboard would hide what is to be read. */
export function canTakeFocus(): boolean {
  return !areLettersPaused() && hasKeyboard()
}

/** Behind the draft that lies there, where its writer goes on: a field that is drawn with words has its caret before them. */
export function focusAtEnd(field: HTMLTextAreaElement) {
  field.setSelectionRange(field.value.length, field.value.length)
  field.focus({ preventScroll: true })
}

/** `ticketId` is null in internal chats. In a conversation that waits the keys are those of the desk until one turns to the field. */
export function useFocusOnOpen(
  field: RefObject<HTMLTextAreaElement | null>,
  ticketId: number | null,
  isWaiting: boolean,
) {
  useEffect(() => {
    if (isWaiting) return
    // J and K must not end as letters in the field.
    if (ticketId !== null && view.steppedTo === ticketId) return
    if (field.current && canTakeFocus()) focusAtEnd(field.current)
  }, [field, ticketId, isWaiting])
}

/** A colleague may close the conversation while one writes: the rest of the words is no key to anything. */
export function useTypingEnds(field: RefObject<HTMLTextAreaElement | null>) {
  useLayoutEffect(
    () => () => {
      // What stands in its place has not been drawn yet: the focus is where it was.
      if (field.current !== null && document.activeElement === field.current) pauseLettersWhileTyping()
    },
    [field],
  )
}

/** M goes to the field, from where J and K have led; Escape leaves it. */
export function useWriteKey(field: RefObject<HTMLTextAreaElement | null>) {
  useActions(
    useMemo(
      () => [
        {
          id: 'composer.write',
          labelKey: 'tickets:action.write',
          groupKey: 'tickets:action.group',
          icon: Pencil,
          shortcut: 'M',
          when: () => field.current !== null,
          perform: () => field.current?.focus(),
        },
      ],
      [field],
    ),
  )
}
