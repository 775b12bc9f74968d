// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTest>

/// Says what was measured where it is out of bounds.
#define WITHIN(value, low, high)                                                                   \
    do {                                                                                           \
        const auto measured = static_cast<double>(value);                                          \
        QVERIFY2(                                                                                  \
            measured >= (low) && measured <= (high),                                               \
            qPrintable(QString(#value " = %1").arg(measured)));                                    \
    } while (false)
