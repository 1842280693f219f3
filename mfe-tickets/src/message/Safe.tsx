// One broken message must not take the conversation with it; its next version gets a new chance.
import { Component, type ReactNode } from 'react'

interface SafeProps {
  readonly version: number
  readonly fallback: ReactNode
  readonly children: ReactNode
}

interface SafeState {
  readonly failed: boolean
  readonly version: number
}

export class Safe extends Component<SafeProps, SafeState> {
  override state = { failed: false, version: this.props.version }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  static getDerivedStateFromProps({ version }: SafeProps, state: SafeState) {
    return version === state.version ? null : { failed: false, version }
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
