import { cloneElement, type ReactElement, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { splitShortcut } from '../../actions/shortcuts.ts'
import { Kbd } from './Kbd.tsx'
import { Portal } from './Portal.tsx'
import { type Side, usePlacing } from './placing.ts'

interface TooltipProps {
  readonly text: string
  readonly shortcut?: string
  readonly side?: Side
  /** One element that takes a ref and `aria-describedby`. */
  readonly children: ReactElement<Record<string, unknown>>
}

/**
 * A short hint after 400 ms of pointing, or at once on keyboard focus; Escape hides it. Never the only label on touch.
 *
 * @example <Tooltip text={t('tick.read')}><span>…</span></Tooltip>
 */
export function Tooltip({ text, shortcut, side = 'below', children }: TooltipProps) {
  const anchor = useRef<HTMLElement>(null)
  const [shown, setShown] = useState(false)
  const id = useId()
  const hide = useEffectEvent(() => setShown(false))
  const show = useEffectEvent(() => setShown(true))

  useEffect(() => {
    const element = anchor.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    function leave() {
      clearTimeout(timer)
      hide()
    }
    function enter(event: PointerEvent) {
      if (event.pointerType === 'touch') return
      clearTimeout(timer)
      timer = setTimeout(() => show(), 400)
    }
    function focus() {
      if (element?.matches(':focus-visible')) show()
    }
    function key(event: KeyboardEvent) {
      if (event.key === 'Escape') leave()
    }
    element.addEventListener('pointerenter', enter)
    element.addEventListener('pointerleave', leave)
    element.addEventListener('pointerdown', leave)
    element.addEventListener('focus', focus)
    element.addEventListener('blur', leave)
    element.addEventListener('keydown', key)
    return () => {
      clearTimeout(timer)
      element.removeEventListener('pointerenter', enter)
      element.removeEventListener('pointerleave', leave)
      element.removeEventListener('pointerdown', leave)
      element.removeEventListener('focus', focus)
      element.removeEventListener('blur', leave)
      element.removeEventListener('keydown', key)
    }
  }, [])

  const ownRef = children.props.ref
  function take(element: HTMLElement | null) {
    anchor.current = element
    if (typeof ownRef === 'function') ownRef(element)
    else if (typeof ownRef === 'object' && ownRef !== null && 'current' in ownRef) ownRef.current = element
  }
  return (
    <>
      {cloneElement(children, { ref: take, 'aria-describedby': shown ? id : children.props['aria-describedby'] })}
      {shown && <Bubble anchor={anchor} id={id} text={text} shortcut={shortcut} side={side} />}
    </>
  )
}

interface BubbleProps extends Omit<TooltipProps, 'children'> {
  readonly id: string
  readonly anchor: React.RefObject<HTMLElement | null>
}

function Bubble({ anchor, id, text, shortcut, side }: BubbleProps) {
  const panel = useRef<HTMLDivElement>(null)
  const style = usePlacing(anchor, panel, { side, align: 'center', gap: 6 })
  return (
    <Portal>
      <div ref={panel} id={id} role="tooltip" className="b-tooltip" style={style}>
        {text}
        {shortcut && splitShortcut(shortcut).map(key => <Kbd key={key}>{key}</Kbd>)}
      </div>
    </Portal>
  )
}
