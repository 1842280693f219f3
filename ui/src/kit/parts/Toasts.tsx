import { Check, CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { useTexts } from '../../i18n/index.ts'
import { IconButton } from './Button.tsx'
import { findFreeSpot, listPressables, type Spot } from './free-place.ts'
import { Icon } from './Icon.tsx'
import { notices, type ToastNotice, toast } from './toast.ts'

const ICONS = { success: Check, error: TriangleAlert, warning: CircleAlert, info: Info }

const MAKE_ROOM_MS = 100

/** The stack of notices; drawn once, by the shell. */
export function Toasts() {
  const t = useTexts('ui')
  const { list } = useSnapshot(notices)
  const box = useRef<HTMLElement>(null)
  const [place, setPlace] = useState<Spot | null>(null)
  const shown = list.map(({ id }) => id).join()
  // Where it is free now: what is pressed depends on the page, on dialogs and on the width.
  useLayoutEffect(() => {
    const element = box.current
    if (!element || shown === '') return
    function measure(of: HTMLElement, again: boolean) {
      const { offsetWidth: width, offsetHeight: height } = of
      const room = { width: window.innerWidth, height: window.innerHeight }
      setPlace(now => findFreeSpot({ width, height }, room, listPressables(of), again ? now : null))
    }
    measure(element, false)
    // What it tells of is drawn after it, and people go on: it makes room for the buttons that come.
    // Not under a pointer or a finger: what moves between press and release is not pressed.
    const timer = setInterval(() => {
      if (!element.matches(':hover, :focus-within')) measure(element, true)
    }, MAKE_ROOM_MS)
    return () => clearInterval(timer)
  }, [shown])
  return (
    <section
      ref={box}
      className="b-toasts"
      aria-label={t('notices')}
      aria-live="polite"
      style={place ? { left: place.left, top: place.top, right: 'auto' } : undefined}
    >
      {list.map(notice => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </section>
  )
}

function Toast({ notice }: { readonly notice: ToastNotice }) {
  const t = useTexts('ui')
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => toast.close(notice.id), notice.shownMs)
    return () => clearTimeout(timer)
  }, [held, notice.id, notice.shownMs])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only keeps it from leaving
    <div
      className="b-toast"
      role={notice.kind === 'error' || notice.kind === 'warning' ? 'alert' : undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={`b-toast-icon is-${notice.kind}`}>
        <Icon of={ICONS[notice.kind]} size={16} />
      </span>
      <p>
        {notice.detail ? <strong>{notice.text}</strong> : notice.text}
        {notice.detail && <span>{notice.detail}</span>}
      </p>
      {notice.action ? (
        <button
          type="button"
          className="b-link"
          onClick={() => {
            toast.close(notice.id)
            notice.action?.perform()
          }}
        >
          {notice.action.label}
        </button>
      ) : (
        <IconButton icon={X} size="small" label={t('close')} onClick={() => toast.close(notice.id)} />
      )}
    </div>
  )
}
