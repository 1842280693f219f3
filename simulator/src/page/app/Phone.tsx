// One phone: its owner above it, its frame, and the screen that is open.
import { BatteryMedium, ChevronDown, Wifi, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Network, PhoneView, Scan } from '../model.ts'
import { Chat } from './Chat.tsx'
import { ChatList } from './ChatList.tsx'
import { act } from './client.ts'
import { Devices } from './Devices.tsx'
import { formatClock } from './format.ts'

const NETWORK_NAMES: Record<Network, string> = { normal: 'Rede normal', slow: 'Rede lenta', off: 'Sem rede' }
const NEXT: Record<Network, Network> = { normal: 'off', off: 'slow', slow: 'normal' }

export function Phone({ phone, scans }: { phone: PhoneView; scans: Scan[] }) {
  return (
    <section className="phone" aria-label={`Telefone de ${phone.name}`} data-phone={phone.id}>
      <p className="phone-owner">
        <b>{phone.name}</b> <span>{phone.label}</span>
      </p>
      <div className="phone-frame">
        <div className="phone-glass">
          <StatusBar phone={phone} />
          <Screen phone={phone} scans={scans} />
        </div>
      </div>
    </section>
  )
}

function Screen({ phone, scans }: { phone: PhoneView; scans: Scan[] }) {
  const [chats, setChats] = useState(false)
  if (phone.open && phone.peer) return <Chat key={phone.open} phone={phone} peer={phone.peer} />
  if (phone.role === 'company' && !chats) return <Devices phone={phone} scans={scans} onChats={() => setChats(true)} />
  return <ChatList phone={phone} {...(phone.role === 'company' ? { onBack: () => setChats(false) } : {})} />
}

function StatusBar({ phone }: { phone: PhoneView }) {
  const { network } = phone
  return (
    <div className="status-bar">
      <Now />
      <button
        type="button"
        className="status-network"
        title={`${NETWORK_NAMES[network]}. Toque para mudar só neste telefone.`}
        aria-label={`${NETWORK_NAMES[network]}: mudar neste telefone`}
        onClick={() => void act.network(NEXT[network], phone.id)}
      >
        {network !== 'normal' && <span className="status-word">{network === 'off' ? 'sem rede' : 'lenta'}</span>}
        {network === 'off' ? <WifiOff size={15} strokeWidth={2} /> : <Wifi size={15} strokeWidth={2} />}
        {network === 'slow' && <ChevronDown size={12} strokeWidth={2} />}
      </button>
      <BatteryMedium size={20} strokeWidth={1.8} aria-hidden />
    </div>
  )
}

function Now() {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 10_000)
    return () => clearInterval(timer)
  }, [])
  return <time>{formatClock(now)}</time>
}
