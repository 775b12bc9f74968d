// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Qt Charts and Widgets cost seconds in every file of this layer; nothing else belongs here.
#include <QAreaSeries>
#include <QChartView>
#include <QLineSeries>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QValueAxis>
#include <QWidget>
