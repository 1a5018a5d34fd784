import { useState } from 'react';

export interface LatestCall {
  /** An answer that was overtaken by a later question is nobody's. */
  ask<T>(answer: Promise<T>, onAnswer: (data: T) => void, onError: (error: unknown) => void): void;
  /** Of what was asked before nothing more is wanted. */
  forget(): void;
  /** The latest question has not been answered: who only looks for news waits, or slow answers would never be shown. */
  isUnderWay(): boolean;
}

/** For what is asked again and again. */
export function useLatestCall(): LatestCall {
  return useState(createLatestCall)[0];
}

export function createLatestCall(): LatestCall {
  let turns = 0;
  let isUnderWay = false;
  return {
    ask(answer, onAnswer, onError) {
      const turn = ++turns;
      isUnderWay = true;
      const settle = () => {
        if (turn !== turns) return false;
        isUnderWay = false;
        return true;
      };
      answer.then(
        (data) => settle() && onAnswer(data),
        (error: unknown) => settle() && onError(error),
      );
    },
    forget() {
      turns++;
      isUnderWay = false;
    },
    isUnderWay: () => isUnderWay,
  };
}
