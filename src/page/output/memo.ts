import { Component, type ComponentType, h } from 'preact';

/** A component that is drawn anew only when it is given something else. */
export function memo<Props extends object>(Inner: ComponentType<Props>): ComponentType<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const names = Object.keys(next) as (keyof Props)[];
      return names.some((name) => next[name] !== this.props[name as keyof typeof this.props]);
    }

    override render() {
      return h(Inner, this.props as Props & object);
    }
  };
}
