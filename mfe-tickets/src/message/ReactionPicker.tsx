// All emojis, beside the message one reacts to.
import { Portal, usePlacing } from '@balcao/ui/parts'
import { type ComponentProps, useRef } from 'react'
import Emojis from '../composer/Emojis.tsx'
import './late.css'

interface ReactionPickerProps extends ComponentProps<typeof Emojis> {
  readonly align: 'start' | 'end'
}

export default function ReactionPicker({ anchor, align, ...picked }: ReactionPickerProps) {
  const panel = useRef<HTMLDivElement>(null)
  const style = usePlacing(anchor, panel, { side: 'below', align })
  return (
    <Portal>
      <div ref={panel} className="m-picker" style={style}>
        {/* The menu that opened it is gone: a press of that menu's button closes this and opens it again. */}
        <Emojis {...picked} anchor={panel} />
      </div>
    </Portal>
  )
}
